internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// Tells how things are: the network, who is signed in, the maps, the downloads, the space.
struct StatusCommand: Command {
  static let declaration = CommandDeclaration(
    "status", summary: "Show how things are: network, sign-in, maps, downloads, space.",
    topic: .library, discussion: ["Asks no portal, and says what could be done next."])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(in session: Session) async throws -> CommandResult {
    var page = StatusPage()
    if let account = session.account {
      try await account.session.restore()
      account.network.refresh()
      page.isOnline = account.network.isOnline
      page.user = account.session.state.user
    }
    if let library = session.app.library, library.exists {
      let maps = try await library.loadedMaps()
      page.mapCount = maps.state.items.count(where: \.canOpenOffline)
      page.jobs = try await library.loadedJobs().jobs
      let storage = try await library.storage()
      try await storage.measure()
      page.usage = storage.usage
    }
    page.openTitle = session.app.map?.state.title
    session.offerWords()
    return CommandResult(text: page.text, json: page.json)
  }
}

/// How things are, as text and as JSON.
struct StatusPage {
  var isOnline: Bool?
  var user: SignedInUser?
  var mapCount = 0
  var jobs: [Job] = []
  var usage: StorageUsage?
  var openTitle: String?

  private var open: [Job] { jobs.filter { !$0.state.isFinal } }

  private var unsettled: [Job] { jobs.filter { $0.state.canSettleFailures || $0.state.canResume } }

  var text: TextDocument {
    var fields: [TextDocument.Field] = []
    if let isOnline { fields.append(.init("Network", isOnline ? "yes" : "none")) }
    fields.append(.init("Signed in", user.map { "\($0.name), \($0.host)" } ?? "nobody"))
    fields.append(.init("Maps on this device", "\(mapCount)"))
    fields.append(.init("Downloads under way", "\(open.count)"))
    if let usage {
      fields.append(.init("Stored", ByteCount.text(usage.total.byteCount)))
      if let free = usage.freeByteCount { fields.append(.init("Free", ByteCount.text(free))) }
    }
    if let openTitle { fields.append(.init("Open map", openTitle)) }
    return TextDocument(
      [.fields(fields)] + jobLines + hints.map { .paragraph($0, indent: 0) })
  }

  private var jobLines: [TextDocument.Block] {
    (open + unsettled.filter { !open.contains($0) }).map { job in
      .paragraph("\"\(job.title)\": \(JobText.sentence(job))", indent: 2)
    }
  }

  /// What could be done next.
  private var hints: [String] {
    if isOnline == false {
      return mapCount == 0
        ? ["There is no network, and no map on this device."]
        : ["There is no network: only the maps on this device can be opened; \"maps\" lists them."]
    }
    if mapCount == 0, jobs.isEmpty {
      return [
        "Nothing is on this device yet. \"search --type 'Web Map'\" finds web maps, \"areas WEBMAP\" "
          + "lists what of one can be downloaded."
      ]
    }
    return []
  }

  var json: JSONValue {
    [
      "online": isOnline.map(JSONValue.bool) ?? .null,
      "user": user?.username.map(JSONValue.string) ?? .null,
      "signedIn": .bool(user.map { !$0.needsSignIn } ?? false),
      "maps": .integer(Int64(mapCount)), "jobs": .array(jobs.map(\.json)),
      "bytes": usage.map { .integer(Int64($0.total.byteCount)) } ?? 0,
      "freeBytes": usage?.freeByteCount.map { .integer(Int64($0)) } ?? .null,
      "open": openTitle.map(JSONValue.string) ?? .null,
    ]
  }
}
