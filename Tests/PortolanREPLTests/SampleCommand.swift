import Foundation
import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanTiles

@testable import PortolanREPL

/// A command with every kind of parameter, which answers with what it was given.
struct SampleCommand: Command {
  static let file = Parameter.argument("FILE", "A file.", completion: .file)
  static let ids = Parameter.argument("ID", "Some ids.", count: .any)
  static let layer = Parameter.option(
    "layer", "NAME", "A layer.", completion: .word(.layer))
  static let at = Parameter.option("at", "LON,LAT", "A place.")
  static let box = Parameter.option("bbox", "W,S,E,N", "A box.")
  static let limit = Parameter.option("limit", "N", "The most.")
  static let mode = Parameter.option(
    "mode", "MODE", "A mode.", completion: .choice(["fast", "fine"]))
  static let all = Parameter.flag("all", "Everything.")

  static let declaration = CommandDeclaration(
    "sample", aliases: ["specimen"], summary: "Answer with what was given.", topic: .files,
    parameters: [file, ids, layer, at, box, limit, mode, all],
    discussion: ["A text that says more about the command than its summary does, at length."],
    examples: [.init("sample a.txt --all", "everything in a file")])

  let values: [String: String]

  init(parsing arguments: Arguments) throws(UsageError) {
    var values: [String: String] = [:]
    values["file"] = try arguments.required(Self.file, as: .file).relativePath
    let ids = try arguments.values(of: Self.ids, as: .text)
    if !ids.isEmpty { values["ids"] = ids.joined(separator: "|") }
    values["layer"] = try arguments.value(of: Self.layer, as: .text)
    values["at"] = try arguments.value(of: Self.at, as: .coordinate).map { "\($0.x) \($0.y)" }
    values["bbox"] = try arguments.box(of: Self.box, in: .degrees).map {
      "\($0.xMin) \($0.yMin) \($0.xMax) \($0.yMax)"
    }
    values["limit"] = try arguments.value(of: Self.limit, as: .integer(in: 1...100)).map {
      "\($0)"
    }
    values["mode"] = try arguments.value(of: Self.mode, as: .choice(["fast", "fine"]))
    values["all"] = arguments.isSet(Self.all) ? "yes" : nil
    self.values = values
  }

  func run(in session: Session) async throws -> CommandResult {
    let sorted = values.sorted { $0.key < $1.key }
    return CommandResult(
      text: TextDocument([.fields(sorted.map { .init($0.key, $0.value) })]),
      json: .object(
        JSONObject(sorted.map { JSONObject.Member(name: $0.key, value: .string($0.value)) })))
  }
}

/// A command that fails as asked.
struct FailingCommand: Command {
  static let how = Parameter.argument("HOW", "How to fail.")
  static let declaration = CommandDeclaration(
    "fail", summary: "Fail.", topic: .shell, parameters: [how])

  struct PlainError: Error {
    let number: Int
  }

  let how: String

  init(parsing arguments: Arguments) throws(UsageError) {
    how = try arguments.required(
      Self.how, as: .choice(["stop", "absent", "damaged", "plainly", "partly"]))
  }

  func run(in session: Session) async throws -> CommandResult {
    session.presenter.note("about to fail")
    session.presenter.progress("half done", json: 0.5)
    switch how {
    case "stop": throw FeatureStoreError.cancelled
    case "absent": throw FeatureStoreError.noSuchField(name: "x", table: "towns")
    case "damaged": throw TileError.damaged(file: "a.tpk", place: "byte 7", reason: "it is a test")
    case "plainly": throw PlainError(number: 7)
    default: return CommandResult(text: TextDocument("2 of 3"), json: [2, 3], status: .partlyDone)
    }
  }
}

/// A command that streams a document and can fail midway.
struct StreamingCommand: Command {
  static let count = Parameter.argument("COUNT", "How many numbers.")
  static let fails = Parameter.flag("fails", "Fail at the end.")
  static let declaration = CommandDeclaration(
    "stream", summary: "Write numbers.", topic: .files, parameters: [count, fails])

  let count: Int
  let fails: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    count = try arguments.required(Self.count, as: .integer(in: 0...1_000_000))
    fails = arguments.isSet(Self.fails)
  }

  func run(in session: Session) async throws -> CommandResult {
    let sink = try session.presenter.makeDocumentSink()
    try sink.write("[0")
    for number in 0..<count { try sink.write(",\(number)") }
    if fails { throw Failure(.outOfMemory, "It broke.") }
    try sink.write("]\n")
    return CommandResult(.streamed(sink))
  }
}

/// A command that waits until it is cancelled.
struct WaitingCommand: Command {
  static let declaration = CommandDeclaration("wait", summary: "Wait.", topic: .shell)

  init(parsing arguments: Arguments) throws(UsageError) {}

  func run(in session: Session) async throws -> CommandResult {
    try session.console.write("waiting")
    try await Task.sleep(for: .seconds(3_600))
    return CommandResult()
  }
}

extension CommandTable {
  static let sample = CommandTable(
    CommandTable.shell.commands + [
      SampleCommand.self, FailingCommand.self, StreamingCommand.self, WaitingCommand.self,
    ])
}
