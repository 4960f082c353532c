import Foundation
import PortolanComposition
import PortolanJSON
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@MainActor
@Suite(.needsSharedFiles, .temporaryDirectory) struct SnapshotCommandTests {
  private static let canyonlands = SharedFiles.url("samples/preplanned-package/canyonlands")
    .path(percentEncoded: false)

  private func run(_ lines: [String], width: Int? = 60) async -> String {
    let console = TranscriptConsole(width: width)
    let home = HomeFolder(
      option: temporaryDirectory.appending(path: "home").path(percentEncoded: false),
      environment: [:])
    let session = Session(
      console: console, options: GlobalOptions(),
      app: LiveApp(home: home, timeZone: .gmt, drawing: PictureDrawing()).model())
    for line in lines {
      let outcome = await session.interpreter.run(line, in: session)
      if outcome.status != .done { console.write("[\(outcome.status)]") }
    }
    return console.transcript
  }

  private func file(_ name: String) -> String {
    temporaryDirectory.appending(path: name).path(percentEncoded: false)
  }

  @Test(arguments: ["map.png", "map.svg"]) func `A map is drawn into a file`(
    _ name: String
  ) async throws {
    let text = await run([
      "snapshot '\(file(name))' --map '\(Self.canyonlands)' --size 200x150 --at -109.9,38.2 "
        + "--scale 600000 --rotation 10 --with scale-bar --json"
    ])
    let json = try JSONValue(parsing: text)
    #expect(json["width"] == 200 && json["height"] == 150)
    #expect(json["omissions"] == [])
    let data = try Data(contentsOf: URL(filePath: file(name)))
    #expect(json["bytes"] == .integer(Int64(data.count)))
    #expect(data.starts(with: name.hasSuffix("png") ? [0x89, 0x50] : Array("<?xml".utf8)))
  }

  @Test func `A dash writes the picture to standard output, unless people or programs read it`()
    async
  {
    let line = "snapshot - --map '\(Self.canyonlands)' --size 20x20 --at -109.9,38.2"
    #expect(await run([line], width: nil).contains("PNG"))
    #expect(await run([line]).contains("not written to a terminal"))
    #expect(await run([line + " --json"], width: nil).contains("--json needs a file"))
    #expect(await run([line + " --world-file"], width: nil).contains("--world-file needs a file"))
  }

  @Test func `A file that is there is not replaced unasked`() async throws {
    let path = file("map.png")
    try Data("mine".utf8).write(to: URL(filePath: path))
    let line = "snapshot '\(path)' --map '\(Self.canyonlands)' --size 20x20"
    #expect(await run([line]).contains("[failed]"))
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    #expect(!(await run([line + " --yes"]).contains("[failed]")))
    #expect(try Data(contentsOf: URL(filePath: path)).count > 100)
  }

  @Test(arguments: ["map.pgw", "map.png.aux.xml"])
  func `A file beside the picture is not replaced unasked`(_ name: String) async throws {
    let beside = URL(filePath: file(name))
    try Data("mine".utf8).write(to: beside)
    let line =
      "snapshot '\(file("map.png"))' --map '\(Self.canyonlands)' --size 20x20 --world-file"
    let text = await run([line])
    #expect(text.contains("\(name)\" exists already") && text.contains("[failed]"), "\(text)")
    #expect(try Data(contentsOf: beside) == Data("mine".utf8))
    #expect(!FileManager.default.fileExists(atPath: file("map.png")))
    #expect(!(await run([line + " --yes"]).contains("[failed]")))
    #expect(try Data(contentsOf: beside) != Data("mine".utf8))
  }

  @Test(arguments: [
    ("map.svg", "--world-file", "says where a PNG is"), ("map.png", "--size 20000x10", "16384"),
    ("map.gif", "", "End it with .png, .svg, .pdf or .tif."), ("map.png", "--size 0x5", "800x600"),
    ("map.png", "--size 5", "800x600"), ("map.png", "--scale -1", "denominator of a scale"),
    ("map.png", "--rotation north", "degrees"), ("map.png", "--with frame", "scale-bar"),
    ("map.png", "--size 16384x16384", "cannot be drawn"),
  ])
  func `A failed snapshot says why`(
    _ name: String, _ option: String, _ reason: String
  ) async {
    let text = await run(["snapshot '\(file(name))' --map '\(Self.canyonlands)' \(option)"])
    #expect(text.contains(reason), "\(text)")
  }

  @Test func `Why a picture cannot be written is said`() async throws {
    let folder = URL(filePath: file("map.png"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = await run([
      "snapshot '\(file("map.png"))' --map '\(Self.canyonlands)' --size 20x20 --yes"
    ])
    #expect(text.contains("cannot be written: ") && text.contains("[failed]"), "\(text)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: [("nowhere/map.png", ""), ("map.png", "--style nowhere.json")])
  func `A folder or a style that is not there is not found`(_ name: String, _ option: String) async
  {
    let text = await run(["snapshot '\(file(name))' --map '\(Self.canyonlands)' \(option)"])
    #expect(text.contains("nowhere.json") || text.contains("no folder"), "\(text)")
    #expect(text.hasSuffix("[notFound]\n"), "\(text)")
  }

  @Test func `A picture leaves out hidden layers, and the map keeps them`() async throws {
    let options = "--size 200x150 --at -109.9,38.2 --scale 600000"
    let layers = try #require(
      try JSONValue(parsing: await run(["toc --map '\(Self.canyonlands)' --json"]))["layers"]?.array
    )
    let hide = layers.compactMap { $0["id"]?.string }.map { "--hide '\($0)'" }
    let show = layers.compactMap { $0["id"]?.string }.map { "--show '\($0)'" }
    let text = await run([
      "open '\(Self.canyonlands)' --quiet", "snapshot '\(file("all.png"))' \(options)",
      "snapshot '\(file("none.png"))' \(options) \(hide.joined(separator: " "))",
      "snapshot '\(file("again.png"))' \(options) \(show.joined(separator: " "))", "toc",
      "snapshot '\(file("x.png"))' --hide nothing",
    ])
    let (all, none) = (try data("all.png"), try data("none.png"))
    #expect(all.count > none.count)
    #expect(try data("again.png").count >= all.count)
    #expect(!text.contains("[ ]"))
    #expect(text.contains("no layer \"nothing\"") && text.hasSuffix("[notFound]\n"))
  }

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: file(name)))
  }

  @Test func `The view is shown in letters where there are no colours`() async {
    let text = await run(["open '\(Self.canyonlands)'", "view --picture"])
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.count > 40 && $0.allSatisfy("@%#*+=-:. ".contains) } > 10)
  }

  @Test func `A legend has pictures in its document`() async throws {
    let text = await run(["open '\(Self.canyonlands)' --quiet", "legend --picture --json"])
    let start = try #require(text.firstIndex(of: "{"))
    let json = try JSONValue(parsing: String(text[start...]))
    let image = json["layers"]?[0]?["entries"]?[0]?["image"]?.string
    #expect(image?.hasPrefix("data:image/png;base64,iVBOR") == true)
  }
}
