import Foundation
import Testing

@testable import PortolanAuthoring

@Suite struct PackageSpecificationTests {
  private static let url = URL(filePath: "/books/book.json")

  private func problems(_ text: String) -> [SpecificationProblem] {
    do throws(AuthoringError) {
      _ = try PackageSpecification(Data(text.utf8), at: Self.url)
      return []
    } catch .invalidSpecification(_, let problems) {
      return problems
    } catch {
      Issue.record(error)
      return []
    }
  }

  private static let sound = """
    {
      "title": "Book",
      "data": {"Trees": {"file": "trees.csv"}},
      "maps": [
        {"name": "trees", "layers": [{"data": "Trees"}]}
      ]
    }
    """

  @Test func `A sound specification has nothing wrong`() throws {
    #expect(problems(Self.sound) == [])
    let specification = try PackageSpecification(Data(Self.sound.utf8), at: Self.url)
    #expect(specification.name == "book")
    #expect(specification.maps.map(\.name) == ["trees"])
  }

  @Test func `The files of a package are those that it is made of`() throws {
    let text = Self.sound.replacing("trees.csv", with: "trees.shp")
      .replacing("\"layers\"", with: "\"backdrop\": \"ground.tpkx\", \"layers\"")
    let specification = try PackageSpecification(Data(text.utf8), at: Self.url)
    #expect(
      specification.files.map { $0.path(percentEncoded: false) } == [
        "/books/book.json", "/books/trees.shp", "/books/trees.dbf", "/books/trees.shx",
        "/books/trees.prj", "/books/trees.cpg", "/books/ground.tpkx",
      ])
  }

  @Test func `An unknown member is named with its line and what may have been meant`() {
    let text = Self.sound.replacing("\"layers\"", with: "\n\"layrs\"")
    let found = problems(text)
    let hint = found.first { $0.path == "maps[0].layrs" }
    #expect(hint?.line == 6)
    #expect(hint?.message.contains("Did you mean \"layers\"?") == true)
  }

  @Test func `Text that is no JSON is named with its line`() {
    let found = problems("{\n  \"title\": \"Book\",\n  \"maps\": [}\n}")
    #expect(found.count == 1)
    #expect(found.first?.line == 3)
    #expect(found.first?.message.hasPrefix("This is not JSON") == true)
  }

  @Test(arguments: ["[]", "3", "\"text\"", "null"])
  func `A document that is no object is refused`(_ text: String) {
    #expect(problems(text).contains { $0.message == "An object is due here." })
  }

  @Test func `A missing specification is distinguished from an unreadable one`() {
    #expect(throws: AuthoringError.noSuchFile(file: "none.json")) {
      try PackageSpecification(at: URL(filePath: "/nowhere/none.json"))
    }
    #expect(throws: AuthoringError.unreadable(file: "tmp", reason: "it is a folder, not a file")) {
      try PackageSpecification(at: URL(filePath: "/tmp"))
    }
  }

  @Test(arguments: ["[5, 44, 4, 45]", "[5, 44, 5, 45]", "[5, 45, 6, 44]", "[5, 44, 6, 144]"])
  func `A box without a size or beyond the world is not said to lack numbers`(_ box: String) {
    func messages(_ box: String) -> [String] {
      problems(Self.sound.replacing("\"layers\"", with: "\"extent\": \(box), \"layers\""))
        .map(\.message)
    }
    #expect(messages(box).map { $0.contains("west must be less than east") } == [true])
    #expect(messages("[5, 44, 6]").map { $0.hasPrefix("Four numbers") } == [true])
  }

  @Test func `A value of another type is named`() {
    let text = Self.sound.replacing("\"Book\"", with: "7")
    #expect(problems(text).first?.summary == "line 2, title: A text is due here.")
  }

  @Test func `Data that are not there are named with those that are`() {
    let text = Self.sound.replacing("\"data\": \"Trees\"", with: "\"data\": \"Bushes\"")
    #expect(
      problems(text).map(\.summary) == [
        "line 5, maps[0].layers[0].data: There is no \"Bushes\" in \"data\". There are: Trees."
      ])
  }

  @Test(arguments: [
    (#""Oak""#, #""Oak""#, true), (#""Oak""#, #""oak""#, false), ("1", #""1""#, true),
    ("1.0", "1", true), ("1", "1.5", false),
  ])
  func `A value that is drawn in two ways is named`(
    _ first: String, _ second: String, _ isRepeated: Bool
  ) {
    let renderer = """
      {"data": "Trees", "renderer": {"type": "uniqueValue", "field": "KIND",
       "values": [{"value": \(first)}, {"value": \(second)}]}}
      """
    let text = Self.sound.replacing("{\"data\": \"Trees\"}]", with: "\(renderer)]")
    let expected =
      isRepeated
      ? ["line 6, maps[0].layers[0].renderer.values[1].value: This value is there twice."] : []
    #expect(problems(text).map(\.summary) == expected)
  }

  @Test func `Styles that are based on each other in a circle are refused`() {
    let styles = """
      "styles": {
        "a": {"data": "Trees", "basedOn": "b"},
        "b": {"basedOn": "a"}
      },
      """
    let text = Self.sound.replacing("\"maps\"", with: styles + "\"maps\"")
    #expect(problems(text).contains { $0.message.hasSuffix("is based on itself.") })
  }

  @Test func `A style gives a layer what it does not say itself`() throws {
    let styles = """
      "styles": {
        "tree": {"data": "Trees", "title": "Tree", "basedOn": "faint"},
        "faint": {"opacity": 0.5, "title": "Faint"}
      },
      """
    let text = Self.sound.replacing("\"maps\"", with: styles + "\"maps\"")
      .replacing("{\"data\": \"Trees\"}]", with: "{\"style\": \"tree\", \"visible\": false}]")
    let specification = try PackageSpecification(Data(text.utf8), at: Self.url)
    let layer = try #require(specification.maps.first?.layers.first)
    #expect(layer.title == "Tree")
    #expect(layer.opacity == 0.5)
    #expect(!layer.isVisible)
  }

  @Test(arguments: ["../trees", "a/b", "a\\\\b", ".trees"])
  func `A map's name must be that of a file`(_ name: String) {
    let text = Self.sound.replacing("\"trees\"", with: "\"\(name)\"")
    #expect(problems(text).contains { $0.message.contains("is not a name that a file can have") })
  }

  @Test(arguments: ["../book", "..", "a/b", " ", String(repeating: "n", count: 300)])
  func `A package's name must be that of a file`(_ name: String) {
    let text = Self.sound.replacing(
      "\"title\": \"Book\"", with: "\"title\": \"Book\",\n\"name\": \"\(name)\"")
    let found = problems(text)
    #expect(found.map(\.path) == ["name"] && found.map(\.line) == [3])
    #expect(found.first?.message.contains("is not a name that a file can have") == true)
  }

  @Test func `A member that is there twice is named with its second line`() {
    let text = Self.sound.replacing("\"maps\"", with: "\"title\": \"Other\",\n  \"maps\"")
    #expect(problems(text).map(\.summary) == ["line 4, title: This member is there twice."])
  }

  @Test func `A blank title is none`() {
    let text = Self.sound.replacing("\"Book\"", with: "\"  \"")
    #expect(problems(text).map(\.summary) == ["line 2, title: The text is empty."])
  }

  @Test func `Tables whose names differ in case only are refused`() {
    let text = Self.sound.replacing(
      "\"data\": {\"Trees\"", with: "\"data\": {\"trees\": {\"file\": \"a.csv\"},\n \"Trees\"")
    let found = problems(text)
    #expect(found.map(\.path) == ["data.Trees"] && found.map(\.line) == [4])
    #expect(found.first?.message.hasPrefix("Two tables are called \"Trees\".") == true)
  }

  @Test(arguments: ["\"\"", "{\"file\": \" \"}"]) func `A backdrop must be named`(_ value: String) {
    let text = Self.sound.replacing("\"layers\"", with: "\"backdrop\": \(value), \"layers\"")
    #expect(problems(text).map(\.message) == ["The text is empty."])
  }

  @Test func `Names of every script are names`() {
    for name in ["地図", "Карта", "خريطة", "แผนที่", "Übersicht 1"] {
      #expect(problems(Self.sound.replacing("\"trees\"", with: "\"\(name)\"")) == [])
    }
  }

  @Test func `Two maps with one name are refused`() {
    let map = "{\"name\": \"Trees\", \"layers\": [{\"data\": \"Trees\"}]},"
    let text = Self.sound.replacing("{\"name\": \"trees\"", with: map + "{\"name\": \"trees\"")
    let messages = problems(text).map(\.message)
    #expect(messages.count == 1 && messages[0].hasPrefix("Two maps are called \"trees\"."))
  }

  @Test func `All that is wrong is listed, by line`() {
    let text = """
      {
        "titel": "Book",
        "tags": "one",
        "expiration": {"date": "soon", "policy": "never"},
        "maps": []
      }
      """
    let found = problems(text)
    #expect(found.count == 6)
    #expect(found.compactMap(\.line) == found.compactMap(\.line).sorted())
  }

  @Test(arguments: ["[-200, 0, 1, 1]", "[1, 0, 0, 1]", "[0, 0, 1]", "\"here\""])
  func `An extent that is none is refused`(_ extent: String) {
    let text = Self.sound.replacing("\"layers\"", with: "\"extent\": \(extent), \"layers\"")
    #expect(problems(text).first?.path.hasPrefix("maps[0].extent") == true)
  }

  @Test(arguments: [
    ("\"minScale\": -1", "maps[0].layers[0].minScale"),
    ("\"maxScale\": -5", "maps[0].layers[0].maxScale"),
    ("\"minScale\": 10, \"maxScale\": 1000", "maps[0].layers[0].minScale"),
    ("\"labels\": {\"text\": \"a\", \"minScale\": -1}", "maps[0].layers[0].labels.minScale"),
  ])
  func `Scales at which a layer is never seen are refused`(_ members: String, _ path: String) {
    let text = Self.sound.replacing("\"data\": \"Trees\"", with: "\"data\": \"Trees\", \(members)")
    #expect(problems(text).map(\.path) == [path])
  }

  @Test(arguments: ["2026-02-30", "2026-13-01", "tomorrow", "2026-05-01T25:00:00Z"])
  func `A day that the calendar does not have is refused`(_ date: String) {
    let text = Self.sound.replacing("\"data\": {", with: "\"created\": \"\(date)\", \"data\": {")
    #expect(problems(text).map(\.path) == ["created"])
  }

  @Test(arguments: ["2026-05-01", "2027-06-30T12:00:00Z", "2027-06-30T12:00:00+02:00"])
  func `Days and moments are dates`(_ date: String) {
    let text = Self.sound.replacing("\"data\": {", with: "\"created\": \"\(date)\", \"data\": {")
    #expect(problems(text) == [])
  }

  @Test func `A text that is cut anywhere is refused without harm`() {
    let text = Array(Self.sound.utf8)
    for length in 0..<text.count - 1 {
      let cut = String(decoding: text[..<length], as: UTF8.self)
      #expect(!problems(cut).isEmpty, "\(length)")
    }
  }

  @Test func `A text that is nested deeply is refused without harm`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(!problems(deep).isEmpty)
    let allowed = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    #expect(!problems("{\"title\": \(allowed)}").isEmpty)
  }

  @Test(
    arguments: [(20, nil), (21, "1 more problem."), (23, "3 more problems.")] as [(Int, String?)])
  func `The first of many problems are listed, with the number of the others`(
    _ count: Int, _ rest: String?
  ) throws {
    let problems = (1...count).map {
      SpecificationProblem(line: $0, path: "maps", message: "It is wrong.")
    }
    let error = AuthoringError.invalidSpecification(file: "book.json", problems: problems)
    let lines = try #require(error.errorDescription).split(separator: "\n")
    #expect(lines[20] == "book.json, line 20, maps: It is wrong.")
    #expect(lines.dropFirst(21).map(String.init) == (rest.map { ["book.json has \($0)"] } ?? []))
  }

  @Test(arguments: ["[-5, 10]", "[0, 10]"])
  func `Sizes of classes are greater than 0`(_ sizes: String) {
    let renderer = #""renderer": {"type": "classBreaks", "field": "N", "sizes": \#(sizes)}"#
    let text = Self.sound.replacing(
      "{\"data\": \"Trees\"}]", with: "{\"data\": \"Trees\", \(renderer)}]")
    #expect(problems(text).map(\.message) == ["Sizes have to be greater than 0."])
  }

  @Test(arguments: [(5773, false), (4978, false), (4979, true), (3031, true), (5555, true)])
  func `A reference that no map can have is refused`(_ id: Int, _ isKnown: Bool) {
    let text = Self.sound.replacing("\"maps\"", with: "\"spatialReference\": \(id), \"maps\"")
    #expect(problems(text).map { $0.path.contains("spatialReference") } == (isKnown ? [] : [true]))
  }
}
