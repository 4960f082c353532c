public import Foundation
public import Observation
internal import PortolanFiles
public import PortolanGeometry
public import PortolanMap
internal import PortolanPackages

/// Pictures of the open map, as it is seen or of another place.
@MainActor
@Observable
public final class SnapshotModel {
  /// The options of a picture; without them it is as on the screen.
  public struct Options: Hashable, Sendable {
    /// The width, in points of 1/96 inch.
    public var width: Double?
    /// The height, in points of 1/96 inch.
    public var height: Double?
    /// The middle, as longitude and latitude on WGS 84.
    public var center: Coordinate?
    /// The denominator of the scale.
    public var scale: Double?
    /// The direction that is up, in degrees clockwise from north.
    public var rotation: Double?
    /// The pixels along a point.
    public var pixelRatio: Double = 1
    /// The format of the picture.
    public var format: MapPicture.Format = .png
    /// The decorations drawn over the map.
    public var decorations: Set<MapDecoration> = []
    /// The elements around the map, on a page of the picture's size; none if `nil`.
    public var layout: Layout?
    /// Whether a world file is written beside a PNG, for programs that need to know where it is;
    /// other formats have none.
    public var writesWorldFile = false
    /// Whether the feature whose popup is open is set off.
    public var showsSelection = false
    /// The keys of layers that are drawn though they or their groups are off.
    public var shownLayers: [String] = []
    /// The keys of layers that are not drawn though they are on.
    public var hiddenLayers: [String] = []

    /// Asks for what is on the screen.
    public init() {}
  }

  /// The elements on a page around the map.
  public struct Layout: Hashable, Sendable {
    /// The title; that of the map if `nil`, none if empty.
    public var title: String?
    /// Whether the legend of the layers that are shown is on the right of the map.
    public var showsLegend = true

    /// Asks for everything.
    public init(title: String? = nil) { self.title = title }
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    case idle
    case drawing
    case drawn(MapPicture)
    case failed(Problem)
  }

  /// The current state; observe this.
  public private(set) var state = State.idle

  @ObservationIgnored private weak var map: MapModel?

  init(map: MapModel) { self.map = map }

  /// Draws a picture; the map on the screen stays where it is.
  ///
  /// - Throws: A problem if the place or the size cannot be drawn.
  public func draw(_ options: Options = Options()) async throws(Problem) -> MapPicture {
    state = .drawing
    do {
      guard let map else { throw Problem.mapWasClosed }
      let frame = try frame(for: options)
      var request = MapPictureRequest(
        frame: frame, pixelRatio: options.pixelRatio, format: options.format,
        decorations: options.decorations)
      if options.showsSelection { request.selection = map.selection }
      if let layout = options.layout.map(map.pageLayout) {
        request.layout = layout
        request.frame = layout.page(showing: frame)
      }
      let drawn = map.drawn(showing: options.shownLayers, hiding: options.hiddenLayers)
      let picture = try await map.following(request) { [drawing = map.drawing] request in
        try await drawing.picture(of: drawn, request)
      }
      state = .drawn(picture)
      return picture
    } catch {
      let problem = Problem(error)
      state = .failed(problem)
      throw problem
    }
  }

  /// Draws a picture into a file, whose extension determines the format: `.png`, `.svg`, `.pdf`, or `.tif`
  /// for a GeoTIFF.
  ///
  /// - Parameters:
  ///   - url: The file; it appears when it is complete.
  ///   - options: What picture; its format is that of the file.
  ///   - replaces: Whether an existing file is replaced.
  /// - Returns: The picture that was written.
  /// - Throws: A problem if the ending is another, the file exists, or it cannot be written.
  public func save(
    to url: URL, _ options: Options = Options(), replaces: Bool = false
  ) async throws(Problem) -> MapPicture {
    var options = options
    let name = url.lastPathComponent
    guard let format = MapPicture.Format(pathExtension: url.pathExtension) else {
      throw Problem(
        .unknownTarget,
        message: "The name \"\(name)\" does not say which format the picture has.",
        suggestion: "End it with .png, .svg, .pdf or .tif.")
    }
    guard !options.writesWorldFile || format == .png else {
      throw Problem(
        .usage,
        message: "A world file says where a PNG is, and \"\(name)\" is none.",
        suggestion: "Leave the world file out, or end the name with .png.")
    }
    guard FileSystem.live.exists(url.deletingLastPathComponent()) else {
      throw Problem(
        .noSuchFolder, message: "There is no folder for \"\(name)\".",
        suggestion: "Make the folder first, or check its name.")
    }
    try Self.checkVacancy(of: Self.files(at: url, options), replacing: replaces)
    options.format = format
    let picture = try await draw(options)
    do {
      try await Self.write(picture.data, to: url, replacing: replaces)
      if options.writesWorldFile, let ground = picture.georeference {
        try await Self.write(ground, beside: url, replacing: replaces)
      }
    } catch {
      // A file that has appeared meanwhile stays, and is what is wrong.
      if case FileError.alreadyExists(let file) = error {
        try Self.checkVacancy(of: [URL(filePath: file)], replacing: replaces)
      }
      throw Problem(error).about(url)
    }
    return picture
  }

  /// Refuses to take the place of a file, unless that was asked for.
  private static func checkVacancy(of files: [URL], replacing replaces: Bool) throws(Problem) {
    guard !replaces, let present = files.first(where: FileSystem.live.exists) else { return }
    throw Problem(
      .alreadyExists, message: "\"\(present.lastPathComponent)\" exists already.",
      suggestion: "Choose another name.",
      actions: [.init(.chooseAnotherName), .init(.replace)]
    ).about(present)
  }

  /// The files that ``save(to:_:replaces:)`` writes: the picture, and its georeference if
  /// that is wanted.
  public static func files(at url: URL, _ options: Options) -> [URL] {
    options.writesWorldFile ? [url, worldFile(of: url), auxiliaryFile(of: url)] : [url]
  }

  private nonisolated static func worldFile(of url: URL) -> URL {
    url.deletingPathExtension().appendingPathExtension("pgw")
  }

  private nonisolated static func auxiliaryFile(of url: URL) -> URL {
    url.appendingPathExtension("aux.xml")
  }

  @concurrent private static func write(
    _ data: Data, to url: URL, replacing replaces: Bool
  ) async throws {
    try FileSystem.live.write(data, to: url, replacing: replaces)
  }

  /// Writes a world file and the meaning of its coordinates beside a picture.
  @concurrent private static func write(
    _ ground: PictureGeoreference, beside url: URL, replacing replaces: Bool
  ) async throws {
    try FileSystem.live.write(
      Data(ground.worldFile.utf8), to: worldFile(of: url), replacing: replaces)
    if let xml = ground.auxiliaryXML {
      try FileSystem.live.write(
        Data(xml.utf8), to: auxiliaryFile(of: url), replacing: replaces)
    }
  }

  /// The window that a picture shows.
  public func frame(for options: Options) throws(Problem) -> MapFrame {
    guard let map else { throw .mapWasClosed }
    var frame = map.state.frame
    frame.width = options.width ?? frame.width
    frame.height = options.height ?? frame.height
    frame.scale = options.scale ?? frame.scale
    frame.rotation = options.rotation ?? frame.rotation
    guard let center = options.center else { return frame }
    do {
      return try frame.showing(
        .center(
          center, scale: frame.scale, rotation: frame.rotation, spatialReference: .wgs84))
    } catch {
      throw Problem(error)
    }
  }
}

extension MapPicture.Format {
  /// The format that the ending of a file's name stands for.
  fileprivate init?(pathExtension: String) {
    let ending = pathExtension.lowercased()
    self.init(rawValue: ["tif": "tiff", "gtiff": "tiff"][ending] ?? ending)
  }
}

extension MapModel {
  /// The layout of a page around the map as it is shown now.
  fileprivate func pageLayout(_ layout: SnapshotModel.Layout) -> PageLayout {
    PageLayout(
      title: layout.title ?? state.title,
      legend: layout.showsLegend
        ? legend.state.sections.map { section in
          PageLayout.LegendSection(title: section.title, entries: section.entries)
        } : [])
  }

  /// Draws something, and takes note of what becomes of its layers meanwhile.
  fileprivate func following(
    _ request: MapPictureRequest,
    _ draw: sending (MapPictureRequest) async throws -> MapPicture
  ) async throws -> MapPicture {
    let (drawings, continuation) = AsyncStream.makeStream(of: LayerDrawing.self)
    var request = request
    request.progress = { continuation.yield($0) }
    async let following: Void = follow(drawings)
    let result: Result<MapPicture, any Error>
    do { result = .success(try await draw(request)) } catch { result = .failure(error) }
    continuation.finish()
    await following
    return try result.get()
  }

  private func follow(_ drawings: AsyncStream<LayerDrawing>) async {
    for await drawing in drawings { note(drawing) }
  }

  /// The feature whose popup is open, by its layer.
  fileprivate var selection: [String: Set<Int64>] {
    guard let selected = popups.state.selection else { return [:] }
    let page = popups.state.pages[selected.index]
    return [tree.node(page.layerID)?.layer.id ?? page.layerID: [page.objectID]]
  }
}
