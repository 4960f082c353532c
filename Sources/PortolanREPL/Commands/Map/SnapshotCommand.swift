internal import Foundation
internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// Draws the open map into a file.
struct SnapshotCommand: MapCommand {
  static let file = Parameter.argument(
    "FILE",
    "The picture to make; its ending, .png, .svg, .pdf, or .tif for a GeoTIFF, is its format. A dash "
      + "writes PNG to standard output.", completion: .file)
  static let size = Parameter.option(
    "size", "WxH", "The width and height in points of 1/96 inch; 1024x768 by default.")
  static let scale = Parameter.option(
    "scale", "N", "The denominator of the scale: 24000 for 1:24000.")
  static let center = Parameter.option(
    "at", "LON,LAT", "The middle of the picture, as longitude and latitude.")
  static let rotation = Parameter.option(
    "rotation", "DEGREES", "The direction that is up, in degrees clockwise from north.")
  static let ratio = Parameter.option(
    "ratio", "N", "The pixels along a point: 2 for dense screens.")

  static let decorations = Parameter.option(
    "with", "WHAT",
    "What to draw over the map: scale-bar, graticule, attribution, or selection, the feature whose "
      + "popup is shown.",
    count: .any, completion: .choice(["scale-bar", "graticule", "attribution", "selection"]))

  static let page = Parameter.option(
    "page", "SIZE",
    "Lay the map out on a page with title, legend, north arrow, scale bar and attribution: a4, a3, "
      + "letter, each also with -portrait, or WxH in points of 1/96 inch.",
    completion: .choice(PageSize.names))
  static let title = Parameter.option(
    "title", "TEXT", "The title on the page; that of the map unless given.")
  static let worldFile = Parameter.flag(
    "world-file", "Write a world file beside a PNG, with its position in map coordinates.")

  static let show = Parameter.option(
    "show", "LAYER", "A layer to draw though it is off, by title or id.", count: .any,
    completion: .word(.layer))
  static let hide = Parameter.option(
    "hide", "LAYER", "A layer to leave out, by title or id.", count: .any,
    completion: .word(.layer))

  static let declaration = CommandDeclaration(
    "snapshot", summary: "Draw the map into a file: PNG, SVG, PDF or GeoTIFF.", topic: .map,
    parameters: [
      file, size, scale, center, rotation, ratio, decorations, page, title, worldFile, show, hide,
      StyleChoice.style,
      MapChoice.map, MapChoice.number,
    ],
    discussion: [
      "The picture shows the layers that are on, at the place and scale of the view unless options "
        + "say otherwise; --show and --hide change that for this picture only. What could not be drawn is listed, and the exit status is 3.",
      "An existing file is replaced only with --yes or when you say so.",
    ],
    examples: [
      .init("snapshot map.png", "what the view shows"),
      .init("snapshot map.svg --at -68.2,44.35 --scale 50000 --size 800x600", "another place"),
      .init("snapshot map.png --map canyonlands.mmpk --ratio 2", "a map that is not open"),
      .init("snapshot map.png --map canyonlands.mmpk --hide Roads", "without one of its layers"),
      .init("snapshot map.pdf --page a4 --title \"Field trip\"", "a page to print"),
      .init("snapshot map.tif --ratio 2", "pixels with their place, for QGIS and ArcGIS"),
      .init("snapshot - --map canyonlands.mmpk > map.png", "for another program"),
    ])

  let choice: MapChoice
  /// The file; `nil` for standard output.
  private let url: URL?
  private let options: SnapshotModel.Options
  private let shown: [LayerChoice]
  private let hidden: [LayerChoice]
  private let style: StyleChoice

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    let isOutput = try arguments.required(Self.file, as: .text) == "-"
    url = isOutput ? nil : try arguments.required(Self.file, as: .file)
    var options = SnapshotModel.Options()
    if let size = try arguments.value(of: Self.size, as: .pictureSize) {
      options.width = size.width
      options.height = size.height
    }
    options.scale = try arguments.value(of: Self.scale, as: .scale)
    options.center = try arguments.value(of: Self.center, as: .coordinate)
    options.rotation = try arguments.value(of: Self.rotation, as: .angle)
    options.pixelRatio = try arguments.value(of: Self.ratio, as: .positiveNumber) ?? 1
    if let size = try arguments.value(of: Self.page, as: .pageSize) {
      guard options.width == nil else {
        throw UsageError("--page and --size both say how large the picture is; give one of them.")
      }
      (options.width, options.height) = (size.width, size.height)
      options.layout = SnapshotModel.Layout(title: try arguments.value(of: Self.title, as: .text))
    } else if try arguments.value(of: Self.title, as: .text) != nil {
      throw UsageError("A title needs a page; give --page.")
    }
    options.writesWorldFile = arguments.isSet(Self.worldFile)
    let selection = "selection"
    let names = [
      "scale-bar": MapDecoration.scaleBar, "graticule": .graticule, "attribution": .attribution,
    ]
    let words = try arguments.values(
      of: Self.decorations, as: .choice(names.keys.sorted() + [selection]))
    options.decorations = Set(words.compactMap { names[$0] })
    options.showsSelection = words.contains(selection)
    self.options = options
    shown = try arguments.values(of: Self.show, as: .text).map(LayerChoice.init(named:))
    style = try StyleChoice(arguments)
    hidden = try arguments.values(of: Self.hide, as: .text).map(LayerChoice.init(named:))
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    session.noteIfSwapped([options.center].compactMap(\.self))
    try await style.apply(to: map)
    var options = options
    options.shownLayers = try shown.map { try $0.key(in: map) }
    options.hiddenLayers = try hidden.map { try $0.key(in: map) }
    guard let url else { return try await write(map, options, in: session) }
    let replaces = await session.mayReplace(SnapshotModel.files(at: url, options))
    let picture = try await map.snapshot.save(to: url, options, replaces: replaces)
    let frame = try map.snapshot.frame(for: options)
    let page = SnapshotPage(url: url, picture: picture, frame: frame)
    return CommandResult(
      text: page.text, json: page.json, status: picture.omissions.isEmpty ? .done : .partlyDone)
  }
}

extension SnapshotCommand {
  /// Writes the picture to standard output; what could not be drawn is said beside it.
  @MainActor private func write(
    _ map: MapModel, _ options: SnapshotModel.Options, in session: Session
  ) async throws -> CommandResult {
    guard session.options.format != .json else {
      throw UsageError("Standard output has the picture; --json needs a file.")
    }
    guard !options.writesWorldFile else {
      throw UsageError("A world file lies beside a picture; --world-file needs a file.")
    }
    guard !session.console.isTerminal else {
      throw UsageError("A picture is not written to a terminal; send the output to a file.")
    }
    let picture = try await map.snapshot.draw(options)
    for omission in picture.omissions { session.presenter.note(omission.sentence) }
    let sink = try session.presenter.makeDocumentSink()
    try sink.write(picture.data)
    return CommandResult(
      .streamed(sink), status: picture.omissions.isEmpty ? .done : .partlyDone)
  }
}

extension ValueFormat<(width: Double, height: Double)> {
  /// `WIDTHxHEIGHT`.
  static let pictureSize = ValueFormat("a width and a height up to 16384, as 800x600") { text in
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }.filter { (1...16_384).contains($0) }
    guard parts.count == 2, numbers.count == 2 else { return nil }
    return (numbers[0], numbers[1])
  }
}

extension ValueFormat<Double> {
  /// A finite number of degrees.
  static let angle = ValueFormat("a number of degrees") { text in
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
