public import PortolanGeometry

/// The parts of a page around a map: title, legend, north arrow, scale bar, attribution.
///
/// The map fills the part of the page that is left of the rest; lengths are points of 1/96 inch.
public struct PageLayout: Hashable, Sendable {
  /// A layer of the legend.
  public struct LegendSection: Hashable, Sendable {
    /// The title of the layer.
    public var title: String
    /// Its lines, from the top.
    public var entries: [LegendInfo]

    /// Creates a section.
    public init(title: String, entries: [LegendInfo]) {
      self.title = title
      self.entries = entries
    }
  }

  /// The title over the map; none if empty.
  public var title: String
  /// The legend on the right of the map; none if empty.
  public var legend: [LegendSection]
  /// Whether an arrow points north.
  public var showsNorthArrow: Bool
  /// Whether a bar has its length on the ground.
  public var showsScaleBar: Bool
  /// Whether the attribution is shown.
  public var showsAttribution: Bool

  /// Creates a layout.
  public init(
    title: String = "", legend: [LegendSection] = [], showsNorthArrow: Bool = true,
    showsScaleBar: Bool = true, showsAttribution: Bool = true
  ) {
    self.title = title
    self.legend = legend
    self.showsNorthArrow = showsNorthArrow
    self.showsScaleBar = showsScaleBar
    self.showsAttribution = showsAttribution
  }

  /// The margin along the edges of the page.
  public static let margin = 24.0
  private static let titleHeight = 40.0
  private static let footerHeight = 44.0
  private static let legendShare = 0.26

  /// The part of a page that shows the map, from the top left corner.
  public func mapBox(width: Double, height: Double) -> Envelope {
    let margin = min(Self.margin, width / 10, height / 10)
    let top = margin + (title.isEmpty ? 0 : min(Self.titleHeight, height / 8))
    let hasFooter = showsNorthArrow || showsScaleBar || showsAttribution
    let bottom = height - margin - (hasFooter ? min(Self.footerHeight, height / 8) : 0)
    let legendWidth = legend.isEmpty ? 0 : min(width * Self.legendShare, 260)
    return Envelope(
      xMin: margin, yMin: top, xMax: width - margin - legendWidth, yMax: bottom)
  }

  /// The window of a page whose map shows, in its middle, what is in the middle of `frame`.
  public func page(showing frame: MapFrame) -> MapFrame {
    let box = mapBox(width: frame.width, height: frame.height)
    let (x, y) = (box.center.x - frame.width / 2, box.center.y - frame.height / 2)
    var page = frame
    page.center = frame.location(ofScreenX: frame.width / 2 - x, y: frame.height / 2 - y)
    return page
  }
}
