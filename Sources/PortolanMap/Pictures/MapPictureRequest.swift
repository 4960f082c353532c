public import Foundation
public import PortolanGeometry

/// The pictures that share the placement of labels and the scaling of colors and sizes.
public enum LabelScope: Hashable, Sendable {
  /// For one picture, in which they all are.
  case picture
  /// For all pictures of the map at a scale: the map is divided into cells, and each label is in one
  /// of them. Pictures side by side fit together, without their margins, which are given in points.
  /// Pictures that are turned have labels of their own.
  case grid(margin: Double = 0)
}

/// A request for a picture of a map.
public struct MapPictureRequest: Sendable {
  /// The frame; its size is in points of 1/96 inch.
  public var frame: MapFrame
  /// The pixels along a point: 1 for plain screens, 2 for dense ones.
  public var pixelRatio: Double
  /// The format of the picture.
  public var format: MapPicture.Format
  /// The colour behind all layers; `nil` for that of the map, else white.
  public var background: RGBAColor?
  /// The decorations drawn over the map.
  public var decorations: Set<MapDecoration>
  /// The layout around the map, in place of ``decorations``; the frame is that of the page.
  public var layout: PageLayout?
  /// The object ids of features that are set off, by the ids of their layers.
  public var selection: [String: Set<Int64>] = [:]
  /// The scope within which labels find their places.
  public var labelScope = LabelScope.picture
  /// The number of parts of the picture that are drawn at a time; the picture is the same for any
  /// number.
  public var concurrency: Int
  /// Called for each layer when it is begun and when it has ended, one at a time.
  public var progress: (@Sendable (LayerDrawing) -> Void)?

  /// Creates a request; sides and ratios that cannot be drawn are refused when it is drawn.
  public init(
    frame: MapFrame, pixelRatio: Double = 1, format: MapPicture.Format = .png,
    background: RGBAColor? = nil, decorations: Set<MapDecoration> = [],
    concurrency: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    self.frame = frame
    self.pixelRatio = pixelRatio
    self.format = format
    self.background = background
    self.decorations = decorations
    self.concurrency = concurrency
  }
}
