internal import PortolanDrawing
internal import PortolanMap

/// A symbol ready to be drawn; lengths in pixels.
package struct SymbolStyle: Sendable {
  /// A part of a symbol.
  enum Layer: Sendable {
    case fill(FillStyle)
    case stroke(StrokeStyle)
    case marker(MarkerStyle)
    /// A part that is drawn with the shape as effects change it, one after the other.
    indirect case changed([GeometricEffect], Layer)

    /// The part without effects.
    var base: Layer {
      if case .changed(_, let layer) = self { layer.base } else { self }
    }

    /// The part with another one below its effects.
    func withBase(_ change: (Layer) -> Layer) -> Layer {
      if case .changed(let effects, let layer) = self {
        .changed(effects, layer.withBase(change))
      } else {
        change(self)
      }
    }
  }

  /// The parts, lowest first.
  var layers: [Layer] = []
  /// The size of markers or the width of lines that the symbol declares.
  package var nominalSize = 0.0
  /// The parts of the symbol that cannot be drawn, in clauses for people.
  package var problems: [String] = []

  /// The maximum distance of anything drawn from a vertex.
  package var reach: Double {
    layers.reduce(0) { reach, layer in
      switch layer.base {
      case .fill, .changed: reach
      case .stroke(let style): max(reach, style.width + abs(style.offset))
      case .marker(let style): max(reach, style.reach)
      }
    }
  }

  package var hasMarkers: Bool {
    layers.contains { if case .marker = $0.base { true } else { false } }
  }

  package var hasStrokes: Bool {
    layers.contains { if case .stroke = $0.base { true } else { false } }
  }

  package var hasFills: Bool {
    layers.contains { if case .fill = $0.base { true } else { false } }
  }
}
