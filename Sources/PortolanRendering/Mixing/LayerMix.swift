internal import PortolanDrawing
internal import PortolanJSON
internal import PortolanMap

/// The composition of a drawn layer or group with the layers below.
struct LayerMix: Hashable, Sendable {
  var opacity = 1.0
  var blendMode = BlendMode.normal
  var effects: [LayerEffect] = []
  /// Whether a layer inside is mixed pixel by pixel, so that what is below it must be at hand.
  var holdsPixelBlending = false
  /// Whether layers inside are mixed with each other only.
  var isolates = false
  /// The requested effects that are not drawn, in clauses for people.
  var problems: [String] = []

  /// The composition of a layer or a group at a scale.
  init(_ layer: Layer, opacity: Double, scale: Double) {
    self.opacity = opacity
    if let name = layer.blendMode {
      if let mode = BlendMode(rawValue: name) {
        blendMode = mode
      } else {
        problems.append("its colours are not mixed with those below as \"\(name)\" asks")
      }
    }
    let list = LayerEffectList(json: layer.json["effect"], scale: scale)
    effects = list.effects
    problems += list.problems
    let inside = layer.layers
    isolates = inside.contains { $0.blendMode != nil }
    holdsPixelBlending = inside.contains { $0.holdsPixelBlending }
  }

  /// Whether everything may be drawn straight on what is below.
  var isPlain: Bool {
    opacity >= 1 && blendMode == .normal && effects.isEmpty && !isolates
  }

  /// Whether it must be drawn on pixels of its own.
  var needsPixels: Bool { !effects.isEmpty || blendMode.needsPixels || holdsPixelBlending }
}

extension Layer {
  /// Whether the layer, or one in it, is mixed with those below pixel by pixel.
  fileprivate var holdsPixelBlending: Bool {
    blendMode.flatMap(BlendMode.init)?.needsPixels ?? false
      || layers.contains(where: \.holdsPixelBlending)
  }
}
