import Foundation
import PortolanApp
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// Commands on the maps of a home, which needs no portal.
@MainActor
@Suite(.temporaryDirectory) struct LibraryCommandTests {
  private func path(_ name: String) -> String {
    temporaryDirectory.appending(path: name).path(percentEncoded: false)
  }

  /// Runs lines in a session without a network and returns what each of them wrote.
  private func run(_ lines: [String], answers: [String] = []) async -> [String] {
    let console = TranscriptConsole(answers: answers)
    return await console.answers(
      to: lines, in: .offline(console, home: path("home")))
  }

  @Test func `Without a user to ask, a watched folder is listed, and nothing is declined`()
    async throws
  {
    let folder = temporaryDirectory.appending(path: "incoming")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("a package".utf8).write(to: folder.appending(path: "town.mmpk"))
    let line = "import --watch '\(folder.path(percentEncoded: false))'"
    for answer in await run([line, line]) {
      #expect(answer.contains("These packages were not imported:"))
      #expect(answer.contains("\"town.mmpk\", 9 bytes"))
      #expect(answer.contains("--yes") && answer.contains("\"import FILE\""))
      #expect(answer.hasSuffix("[wrongUsage]\n"))
    }
    try FileManager.default.removeItem(at: folder.appending(path: "town.mmpk"))
    let empty = await run([line])
    #expect(empty[0].contains("There is no package to import."), "\(empty)")
    #expect(empty[0].hasSuffix("[wrongUsage]\n"))
  }

  /// A line that makes a package with a map and a point, for lines that import it.
  private func makePackage(_ title: String) throws -> String {
    let points = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": 1, "properties": {"NAME": "Ridge"},
         "geometry": {"type": "Point", "coordinates": [-109.9, 38.3]}}]}
      """
    let specification = """
      {"title": "\(title)", "data": {"Trails": {"file": "trails.geojson"}},
       "maps": [{"name": "m", "layers": [{"data": "Trails", "title": "Trails"}]}]}
      """
    try Data(points.utf8).write(to: URL(filePath: path("trails.geojson")))
    try Data(specification.utf8).write(to: URL(filePath: path("specification.json")))
    return "create-package '\(path("specification.json"))' '\(path("\(title).mmpk"))' --quiet"
  }

  @Test(arguments: ["damaged.mmpk", "gone.mmpk"])
  func `Of several files the readable ones are listed`(_ other: String) async throws {
    try Data("no archive".utf8).write(to: URL(filePath: path("damaged.mmpk")))
    let answers = await run([
      try makePackage("Canyon"), "inspect '\(path("Canyon.mmpk"))' '\(path(other))'",
      "inspect '\(path(other))' '\(path(other))'",
    ])
    #expect(answers[1].contains("Canyon") && answers[1].contains("\(other): "), "\(answers)")
    #expect(answers[1].hasSuffix("[partlyDone]\n"))
    #expect(answers[1].contains("\(other): \(other == "gone.mmpk" ? "not found" : "1 package")"))
    let status = other == "gone.mmpk" ? "[notFound]\n" : "[failed]\n"
    #expect(answers[2].hasSuffix(status), "\(answers)")
  }

  @Test func `A folder of several tile caches is neither imported nor opened as the first of them`()
    async throws
  {
    for name in ["caches/usa", "caches/world"] {
      let cache = temporaryDirectory.appending(path: name)
      try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: cache.appending(path: "root.json"))
    }
    let answers = await run(["import '\(path("caches"))'", "open '\(path("caches"))'"])
    #expect(answers[0].contains("caches is no package, but a folder with several."), "\(answers)")
    #expect(answers[1].contains("it is a folder with several packages."), "\(answers)")
    for answer in answers { #expect(answer.hasSuffix("[failed]\n"), "\(answer)") }
  }

  @Test func `Of several things that all fail each is reported once`() async throws {
    for name in ["one.mmpk", "two.mmpk"] {
      try Data("no archive".utf8).write(to: URL(filePath: path(name)))
    }
    let answers = await run([
      "import '\(path("one.mmpk"))' '\(path("two.mmpk"))'", "download Nowhere Nothing",
    ])
    for (answer, names) in zip(answers, [["one.mmpk", "two.mmpk"], ["Nowhere", "Nothing"]]) {
      let errors = answer.split(separator: "\n").filter { $0.hasPrefix("! error:") }
      #expect(errors.count == 2, "\(answers)")
      for name in names { #expect(errors.filter { $0.contains(name) }.count == 1, "\(answers)") }
    }
    let some = await run([
      try makePackage("Canyon"), "import '\(path("one.mmpk"))' '\(path("Canyon.mmpk"))'",
    ])
    #expect(some[1].contains("! error:") && some[1].contains("one.mmpk"), "\(some)")
    #expect(some[1].hasSuffix("[partlyDone]\n"), "\(some)")
  }

  @Test func `A conflict that there is not refers to the list of the map`() async throws {
    let answers = await run([
      try makePackage("Canyon"), "import '\(path("Canyon.mmpk"))'",
      "conflicts resolve 9 --mine --map Canyon",
    ])
    #expect(answers[2].contains("There is no conflict 9."), "\(answers)")
    #expect(answers[2].contains("\"conflicts Canyon\" lists those that there are."), "\(answers)")
    #expect(answers[2].hasSuffix("[notFound]\n"), "\(answers)")
  }

  @Test func `Conflicts are listed of the map that is named as for a decision, too`() async throws {
    let answers = await run([
      try makePackage("Canyon"), "import '\(path("Canyon.mmpk"))'", "conflicts --map Canyon",
      "conflicts Canyon", "conflicts Canyon --map Canyon",
    ])
    #expect(answers[2].contains("\"Canyon\" has no conflicts."), "\(answers)")
    #expect(answers[2].drop { $0 != "\n" } == answers[3].drop { $0 != "\n" }, "\(answers)")
    #expect(answers[4].contains("Give either MAP or --map."), "\(answers)")
  }

  @Test(arguments: [(false, ""), (true, ""), (true, " --yes")])
  func `A map that is changed without a question has to be named in full`(
    _ canAsk: Bool, _ option: String
  ) async throws {
    let package = path("Canyon.mmpk")
    let answers = await run(
      [
        try makePackage("Canyon"), "import '\(package)'",
        "import '\(package)' --on-conflict rename", "delete Canyon --yes",
        "rollback Canyon\(option)", "update Canyon\(option)", "rollback 'Canyon (2)'\(option)",
      ], answers: canAsk ? ["n"] : [])
    let isFound = canAsk && option.isEmpty
    for answer in answers[4...5] {
      #expect(answer.contains("Did you mean \"Canyon (2)\"?") != isFound, "\(answers)")
      #expect(answer.contains("There is no map \"Canyon\"") != isFound, "\(answers)")
    }
    #expect(answers[6].contains("no earlier version of \"Canyon (2)\""), "\(answers)")
  }

  @Test func `No folder is made for attachments of a feature that has none, which is named`()
    async throws
  {
    let place = "--at -109.9,38.3 --map '\(path("Canyon.mmpk"))'"
    let answers = await run([
      try makePackage("Canyon"), "attachments \(place) --output '\(path("photos/"))'",
      "attachments \(place) --open",
    ])
    for answer in answers.dropFirst() {
      #expect(answer == "Feature 1 of \"Trails\", \"Ridge\", has no attachments.\n", "\(answers)")
    }
    #expect(!FileManager.default.fileExists(atPath: path("photos")))
  }

  @Test func `An empty trash is reported as empty`() async {
    let answers = await run(["undo", "storage --empty-trash"])
    #expect(answers[0].contains("The trash is empty."), "\(answers)")
    #expect(answers[0].contains("No map was deleted, or the trash was emptied since."))
    #expect(!answers[0].contains("lists what was deleted"))
    #expect(answers[1].contains("The trash is empty already."), "\(answers)")
  }

  @Test func `Messages that are not there cannot be dropped`() async {
    let answers = await run(["storage --drop-messages gone.example"])
    #expect(answers[0].contains("No message to gone.example is pending."), "\(answers)")
  }

  @Test func `A missing specification is reported before an existing package`()
    async throws
  {
    try Data("mine".utf8).write(to: URL(filePath: path("old.mmpk")))
    let answers = await run(["create-package '\(path("nothing.json"))' '\(path("old.mmpk"))'"])
    #expect(answers[0].contains("nothing.json") && !answers[0].contains("exists already"))
    #expect(answers[0].hasSuffix("[notFound]\n"), "\(answers)")
  }

  @Test func `An export replaces a file with --yes, as other commands do`() async throws {
    let export = "export Canyon '\(path("copy.mmpk"))'"
    let answers = await run([
      try makePackage("Canyon"), "import '\(path("Canyon.mmpk"))'", export, export,
      "\(export) --yes",
    ])
    #expect(answers[2].hasPrefix("\"Canyon\" is in "), "\(answers)")
    #expect(answers[3].contains("exists already.") && answers[3].contains("--yes"), "\(answers)")
    #expect(answers[3].hasSuffix("[failed]\n"))
    #expect(answers[4].hasPrefix("\"Canyon\" is in "), "\(answers)")
  }

  @Test
  func `Opening a stored map that lacks a file says so, and suggests an audit`()
    async throws
  {
    let folder = path("canyon")
    let made = await run([
      try makePackage("Canyon"), "unpack '\(path("Canyon.mmpk"))' '\(folder)'",
      "import '\(folder)'", "open Canyon",
    ])
    #expect(!made[3].contains("\"audit\"") && !made[3].contains("[partlyDone]"), "\(made)")
    let home = URL(filePath: path("home"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: path("home"))
    for file in files where file.hasSuffix(".geodatabase") {
      try FileManager.default.removeItem(at: home.appending(path: file))
    }
    let opened = await run(["open Canyon"])
    #expect(opened[0].components(separatedBy: "\"audit\" checks").count == 2, "\(opened)")
    #expect(opened[0].hasSuffix("[partlyDone]\n"))
    let answers = await run(["repair", "repair --yes", "repair --yes"])
    #expect(answers[0].contains("Repair what was found, as listed?"), "\(answers)")
    #expect(answers[1].hasSuffix("Everything is in order now.\n"), "\(answers)")
    #expect(answers[2] == "Everything is in order.\n")
  }

  @Test func `Areas cannot be asked for without a network`() async {
    let answers = await run(["areas"])
    #expect(answers[0].contains("There is no network") && !answers[0].contains("The owner"))
    #expect(answers[0].hasSuffix("[noNetwork]\n"))
  }
}
