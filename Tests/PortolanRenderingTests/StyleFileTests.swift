import Foundation
import PortolanDrawing
import PortolanGeometry
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanTestSupport
import PortolanTiles
import Testing

/// Vector tiles drawn with a style from a file.
@Suite(.temporaryDirectory) struct StyleFileTests {
  private let source = InMemoryTileSource(
    info: TileSourceInfo(
      name: "town",
      scheme: TileScheme(
        origin: Coordinate(x: -256, y: 256), tileWidth: 512, tileHeight: 512,
        spatialReference: .webMercator,
        levels: [TileScheme.Level(level: 0, resolution: 1, scale: 3779.527_559_055_1)]),
      levels: 0...0, declaredFormat: "pbf"),
    tiles: [
      TileID(level: 0, row: 0, column: 0): Tile(data: DrawnStyle.town, format: .vectorTile)
    ])

  private func style(_ json: String) throws -> StyleFile {
    let file = temporaryDirectory.appending(path: "style.json")
    try Data(json.utf8).write(to: file)
    return try StyleFile(file)
  }

  private func image(_ content: LayerContent) async throws -> (PixelImage, [PictureOmission]) {
    let drawn = try await MapRenderer(
      layers: [DrawnLayer(layer: Layer(json: ["title": "Town"]), content: content)]
    ).image(MapPictureRequest(frame: SmallMap.frame(width: 512, height: 512)))
    return (drawn.image, drawn.omissions)
  }

  private func color(_ image: PixelImage, _ x: Int, _ y: Int) -> UInt32 {
    image.pixels[y * image.width + x] & 0xFFFFFF
  }

  @Test(arguments: ["town", "another"])
  func `A style draws the tiles, whatever it calls their source`(_ name: String) async throws {
    let style = try style(
      """
      {"version": 8, "sources": {"\(name)": {"type": "vector", "url": "mbtiles://x"}}, "layers": [
        {"id": "b", "type": "background", "paint": {"background-color": "#102030"}},
        {"id": "a", "type": "fill", "source": "\(name)", "source-layer": "areas",
         "paint": {"fill-color": "#00ff00", "fill-antialias": false}}]}
      """)
    let (image, omissions) = try await image(.styledTiles(style.styling(source)))
    #expect(omissions.isEmpty)
    #expect(color(image, 100, 100) == 0x00FF00)
    #expect(color(image, 500, 10) == 0x102030)
  }

  @Test func `Without a style areas, lines and names are distinguished`() async throws {
    let (image, omissions) = try await image(.tiles(source))
    #expect(omissions.isEmpty)
    let (area, ground, road) = (color(image, 60, 60), color(image, 500, 10), color(image, 256, 300))
    #expect(area != ground && road != ground && road != area)
  }

  @Test func `Icons on the web are not requested, and that is reported`() async throws {
    let style = try style(
      """
      {"version": 8, "sprite": "https://example.org/sprite",
       "sources": {"s": {"type": "vector"}}, "layers": []}
      """)
    let (_, omissions) = try await image(.styledTiles(style.styling(source)))
    #expect(omissions.map(\.reason) == ["Its icons are on the web, and are not asked for."])
  }

  @Test func `Features in files of a style are drawn, and those on the web are reported`()
    async throws
  {
    try Data(
      """
      {"type": "Polygon", "coordinates": [[[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]]}
      """.utf8
    ).write(to: temporaryDirectory.appending(path: "shapes.geojson"))
    let style = try style(
      """
      {"version": 8, "sources": {
        "near": {"type": "geojson", "data": "shapes.geojson"},
        "far": {"type": "geojson", "data": "https://example.org/shapes.geojson"}}, "layers": [
        {"id": "a", "type": "fill", "source": "near", "paint": {"fill-color": "#00ff00"}},
        {"id": "b", "type": "fill", "source": "far"}]}
      """)
    let (image, omissions) = try await image(.styledTiles(style.styling(source)))
    #expect(color(image, 256, 256) == 0x00FF00)
    #expect(
      omissions.map(\.reason) == [
        "The features of the source \"far\" of its style cannot be had: it is on the web, and is not "
          + "asked for."
      ])
  }

  @Test func `Layers of a source that the style lacks are reported`() async throws {
    let style = try style(
      """
      {"version": 8, "sources": {"s": {"type": "vector"}}, "layers": [
        {"id": "a", "type": "fill", "source": "gone", "source-layer": "areas"},
        {"id": "b", "type": "fill", "source-layer": "areas"}]}
      """)
    let (_, omissions) = try await image(.styledTiles(style.styling(source)))
    #expect(
      Set(omissions.map(\.reason)) == [
        "Layers of its style are left out, for it has no source \"gone\".",
        "Layers of its style that name no source are left out.",
      ])
  }

  @Test func `Icons are those of the sprite that their names begin with`() async throws {
    let sheets = ["a": 0xFFC0_2020 as UInt32, "b": 0xFF20_20C0]
    for (name, pixel) in sheets {
      let picture = PixelImage(width: 8, height: 8, pixels: Array(repeating: pixel, count: 64))
      try picture?.pngData().write(to: temporaryDirectory.appending(path: "\(name).png"))
      try Data(
        #"{"dot": {"x": 0, "y": 0, "width": 8, "height": 8, "pixelRatio": 1}}"#.utf8
      ).write(to: temporaryDirectory.appending(path: "\(name).json"))
    }
    func style(_ icon: String) throws -> StyleFile {
      try self.style(
        """
        {"version": 8, "sprite": [{"id": "default", "url": "a"}, {"id": "b", "url": "b"}],
         "sources": {"p": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
         "layers": [{"id": "i", "type": "symbol", "source": "p", "layout": {"icon-image": "\(icon)"}}]}
        """)
    }
    for (icon, expected) in [("dot", 0xC02020 as UInt32), ("b:dot", 0x2020C0)] {
      let (image, omissions) = try await image(.styledTiles(style(icon).styling(source)))
      #expect(omissions.isEmpty)
      #expect(color(image, 256, 256) == expected, "\(icon)")
    }
    let (_, omissions) = try await image(.styledTiles(style("c:dot").styling(source)))
    #expect(!omissions.isEmpty)
  }

  @Test(arguments: [
    (#"{"dot": {"x": 0, "y": 0, "width": 8, "height": 8}, "other": {"x": 0, "#, true),
    ("no list", false),
  ])
  func `Readable icons of a damaged icon list are drawn`(
    _ list: String, _ hasIcon: Bool
  ) async throws {
    let picture = PixelImage(
      width: 8, height: 8, pixels: Array(repeating: 0xFFC0_2020, count: 64))
    try picture?.pngData().write(to: temporaryDirectory.appending(path: "a.png"))
    try Data(list.utf8).write(to: temporaryDirectory.appending(path: "a.json"))
    let style = try style(
      """
      {"version": 8, "sprite": "a",
       "sources": {"p": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
       "layers": [{"id": "i", "type": "symbol", "source": "p", "layout": {"icon-image": "dot"}}]}
      """)
    let (image, omissions) = try await image(.styledTiles(style.styling(source)))
    #expect((color(image, 256, 256) == 0xC02020) == hasIcon)
    let told = "The list of its icons is damaged: some may be missing."
    #expect(omissions.map(\.reason).contains(told))
  }

  @Test func `A style that is nested too deeply is called that`() throws {
    let deep = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)
    let error = #expect(throws: TileError.self) { try style(#"{"layers": \#(deep)}"#) }
    #expect(error?.errorDescription?.contains("nested too deeply") == true)
  }

  @Test(
    arguments: [
      ("vector", "pbf", true), ("vector", "PNG", false), ("raster", "PNG", true),
      ("raster-dem", "PNG", true), ("geojson", "pbf", true), ("geojson", "PNG", false),
    ])
  func `A style is for tiles of the kinds of its sources, and for all of vectors`(
    _ kind: String, _ format: String, _ isDrawn: Bool
  ) throws {
    let style = try style(
      #"{"version": 8, "sources": {"s": {"type": "\#(kind)"}}, "layers": []}"#)
    var info = source.info
    info.declaredFormat = format
    #expect(style.draws(InMemoryTileSource(info: info, tiles: [:])) == isDrawn)
  }

  @Test(arguments: ["", "[]", "{}", #"{"layers": 3}"#, "{\"layers\": ["])
  func `An invalid style is refused`(_ text: String) throws {
    #expect(throws: TileError.self) { try style(text) }
  }
}
