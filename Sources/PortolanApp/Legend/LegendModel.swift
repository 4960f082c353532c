public import Foundation
public import Observation
public import PortolanMap
internal import PortolanPackages

/// The legend: what the symbols of the drawn layers mean.
@MainActor
@Observable
public final class LegendModel {
  /// A layer of the legend.
  public struct Section: Hashable, Sendable, Codable, Identifiable {
    /// The layer's key in the map.
    public var id: String
    /// The layer's title.
    public var title: String
    /// The titles of the groups that the layer is in, outermost first.
    public var groups: [String]
    /// The lines, from the top.
    public var entries: [LegendInfo]
  }

  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The layers, top first.
    public var sections: [Section] = []
  }

  /// The current state; observe this.
  public private(set) var state = State()

  @ObservationIgnored private let drawing: any MapDrawing

  init(drawing: any MapDrawing) { self.drawing = drawing }

  /// The picture beside a line as a PNG file; `nil` if nothing is drawn there.
  ///
  /// Pictures are drawn when they are requested; keep them as long as the line is shown.
  ///
  /// - Parameters:
  ///   - swatch: The symbol of the line.
  ///   - width: The width, in points of 1/96 inch.
  ///   - height: The height, in points of 1/96 inch.
  ///   - pixelRatio: The pixels along a point.
  /// - Returns: The file.
  public nonisolated func picture(
    of swatch: LegendInfo.Swatch, width: Double = 24, height: Double = 24, pixelRatio: Double = 1
  ) -> Data? {
    drawing.picture(of: swatch, width: width, height: height, pixelRatio: pixelRatio)
  }

  /// Takes over what the map shows now.
  func refresh(_ tree: LayerTree, _ contents: [String: LayerContent], scale: Double) {
    state.sections = tree.ordered.compactMap { node in
      guard node.layer.showsLegend, tree.isShown(node.id),
        tree.isInScaleRange(node.id, scale: scale), let content = contents[node.id]
      else { return nil }
      let entries = Self.entries(of: content)
      guard !entries.isEmpty else { return nil }
      return Section(
        id: node.id, title: node.layer.title, groups: tree.groupTitles(above: node.id),
        entries: entries)
    }
  }

  private static func entries(of content: LayerContent) -> [LegendInfo] {
    switch content {
    case .features(let tables): tables.flatMap { $0.drawingInfo.renderer?.legendEntries ?? [] }
    case .service(let legend, _), .pictures(_, let legend, _): legend
    // Pictures need no key; what vector tiles show is named in their style.
    case .tiles, .vectorTiles, .styledTiles, .group, .unavailable, .notSupported: []
    }
  }
}

extension LayerTree {
  /// The titles of the groups that a layer is in, outermost first.
  func groupTitles(above key: String) -> [String] {
    var titles: [String] = []
    var next = node(key)?.parent.flatMap(node)
    while let group = next {
      titles.insert(group.layer.title, at: 0)
      next = group.parent.flatMap(node)
    }
    return titles
  }
}
