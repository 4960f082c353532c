internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Uploads a file to a portal and shares it there.
struct ShareCommand: PortalCommand {
  static let file = Parameter.argument("FILE", "The file to share.", completion: .file)
  static let title = Parameter.option(
    "title", "TEXT", "The title; that of the package unless given.")
  static let summary = Parameter.option(
    "summary", "TEXT", "One or two sentences on it; those of the package unless given.")
  static let tags = Parameter.option(
    "tags", "WORDS", "Words to find it by, separated by commas; those of the package unless given.")
  static let access = Parameter.option(
    "access", "private|org|public",
    "Who may see it: you (private), your organization, everybody. Without it a new item is "
      + "private, and one that is replaced stays as it is.",
    completion: .choice(SharingModel.Access.allCases.map(\.rawValue)))
  static let group = Parameter.option(
    "group", "IDS",
    "The ids of groups to share it with, separated by commas; groups that see it already keep it.")
  static let overwrite = Parameter.flag(
    "overwrite", "Replace your item of the same title and type.")
  static let item = Parameter.option(
    "item", "ID", "Replace this item of yours, whatever its title.")

  static let declaration = CommandDeclaration(
    "share", summary: "Upload a file to a portal and share it there.", topic: .portal,
    parameters: [file, title, summary, tags, access, group, overwrite, item],
    discussion: [
      "The file is uploaded in parts of 10 MB. An upload that was interrupted resumes after the last "
        + "part that arrived when the command is run again with the same file, also with another title, "
        + "summary or tags; if the file has changed, or goes to another item, it starts over, and its item "
        + "is deleted.",
      "Packages (.mmpk), tile packages (.tpk, .tpkx, .vtpk), geodatabases, GeoPackages, GeoJSON and "
        + "CSV files can be shared. Title, summary, tags and picture of a package are those that it "
        + "says itself, unless they are given.",
    ],
    examples: [
      .init("share waterworks.mmpk --access org", "for everybody in your organization"),
      .init("share waterworks.mmpk --overwrite", "a newer version in place of the old one"),
    ])

  private let request: SharingModel.Request
  /// The typed name of the file.
  private let name: String

  init(parsing arguments: Arguments) throws(UsageError) {
    let names = SharingModel.Access.allCases.map(\.rawValue)
    let access = try arguments.value(of: Self.access, as: .choice(names))
    name = try arguments.required(Self.file, as: .text)
    request = SharingModel.Request(
      try arguments.required(Self.file, as: .file),
      title: try arguments.value(of: Self.title, as: .text),
      summary: try arguments.value(of: Self.summary, as: .text),
      tags: Self.list(try arguments.value(of: Self.tags, as: .text)),
      access: access.flatMap(SharingModel.Access.init),
      groups: Self.list(try arguments.value(of: Self.group, as: .text)),
      replacesItem: arguments.isSet(Self.overwrite),
      item: try arguments.value(of: Self.item, as: .text))
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  @MainActor func run(
    with screens: PortalScreens, in session: Session
  ) async throws -> CommandResult {
    guard let model = session.app.sharing else {
      throw Problem(message: "This build of Portolan has no network.", kind: .network)
    }
    let portal = session.options.portal
    let result: SharingModel.Result
    do {
      result = try await session.showing(Self.report) {
        try await model.share(request, on: portal, progress: $0)
      }
    } catch {
      throw await Self.naming(name, in: error, session)
    }
    return CommandResult(
      text: Self.text(of: result), json: result.json,
      status: result.notSharedWith.isEmpty ? .done : .partlyDone)
  }

  /// The failure to share a file that is not there, with the step before where a stored map has its name.
  @MainActor private static func naming(
    _ name: String, in error: any Error, _ session: Session
  ) async -> any Error {
    var failure = Failure(error)
    guard failure.code == .noSuchFile, let library = session.app.library, library.exists,
      // A list that cannot be read, or a title of several maps, names none.
      let map = try? await library.loadedMaps().storedItem(named: name, exactly: true)
    else { return error }
    let export = session.line("export", map.title, ShellWord.fileName(for: map.title) + ".mmpk")
    failure.suggestion =
      "\"\(map.title)\" is a map on this device. Write it into a file first, with \"\(export)\", and share that."
    return failure
  }

  @Sendable private static func report(
    _ progress: SharingModel.Progress
  ) -> (text: String, json: JSONValue) {
    (
      "\(ByteCount.text(progress.bytes)) of \(ByteCount.text(progress.totalBytes))", progress.json
    )
  }

  private static func text(of result: SharingModel.Result) -> TextDocument {
    let verb = result.replaced ? "is replaced" : "is shared"
    var blocks: [TextDocument.Block] = [
      .line("\"\(result.title)\" \(verb), \(ByteCount.text(result.size)), as \(result.id).")
    ]
    if result.resumedBytes > 0 {
      let sent = ByteCount.text(result.resumedBytes)
      blocks.append(.line("An interrupted upload had sent \(sent) of it already."))
    }
    if let page = result.page { blocks.append(.line(page.absoluteString)) }
    blocks += result.notSharedWith.map { .line("It could not be shared with the group \($0).") }
    return TextDocument(blocks)
  }
}
