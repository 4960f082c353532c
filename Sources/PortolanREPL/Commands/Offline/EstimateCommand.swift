internal import PortolanApp

/// Tells what an area of a web map needs before it is taken offline.
struct EstimateCommand: LibraryCommand {
  static let declaration = CommandDeclaration(
    "estimate", summary: "Estimate the size of an area of a web map offline.", topic: .library,
    parameters: [OfflineMapArguments.map, OfflineMapArguments.area] + OfflineMapArguments.options,
    discussion: [
      "Features and tiles are counted; bytes are a range that follows from a few of them. Nothing "
        + "is downloaded, and no service begins anything."
    ],
    examples: [
      .init(
        "estimate 41281c51f9de45edaf1c8ed44bb10e30 -70.6,43.4,-69.9,43.9 --min-scale 5000000",
        "with tiles from that scale on")
    ])

  private let arguments: OfflineMapArguments

  init(parsing arguments: Arguments) throws(UsageError) {
    self.arguments = try OfflineMapArguments(parsing: arguments)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let model = try await library.offlineQuestions()
    let request = try await arguments.request(in: session)
    let estimate = try await model.loadEstimate(of: request)
    return OnDemandEstimatePage(estimate: estimate).result
  }
}

/// The space that an area needs, as text and as JSON.
struct OnDemandEstimatePage {
  let estimate: OfflineMapModel.Estimate

  var result: CommandResult {
    let table = TextTable(
      [.init("part"), .init("what"), .init("size")],
      rows: estimate.parts.map { [$0.title, Self.count($0), Self.size($0.bytes)] })
    let total = Self.size(estimate.bytes)
    return CommandResult(
      text: TextDocument(
        [
          .table(table),
          .line(estimate.isComplete ? "In all: \(total)." : "In all: \(total) at least."),
          .paragraph(verdict, indent: 0),
        ] + reasons), json: estimate.json, status: estimate.isPossible ? .done : .failed)
  }

  private var verdict: String {
    if let refusal = estimate.parts.lazy.compactMap(\.refusal).first { return refusal }
    guard estimate.fits else { return "There is not enough free space." }
    let unknown = estimate.parts.filter { $0.bytes == nil }.map { "\"\($0.title)\"" }
    guard !unknown.isEmpty else { return "There is enough free space." }
    return "Whether there is enough free space is unknown without the size of "
      + unknown.joined(separator: ", ") + "."
  }

  /// The reasons why services do not give amounts.
  private var reasons: [TextDocument.Block] {
    estimate.parts.compactMap { part in part.issue.map { .line("\(part.title): \($0)") } }
  }

  private static func count(_ part: OfflineMapModel.Estimate.Part) -> String {
    if let tiles = part.tiles { return tiles == 1 ? "1 tile" : "\(tiles) tiles" }
    if let features = part.features { return features == 1 ? "1 feature" : "\(features) features" }
    return part.isCopied ? "copied from this device" : "not known"
  }

  private static func size(_ bytes: ClosedRange<Int>?) -> String {
    guard let bytes else { return "not known" }
    guard bytes.lowerBound < bytes.upperBound else { return ByteCount.text(bytes.lowerBound) }
    return "\(ByteCount.text(bytes.lowerBound)) to \(ByteCount.text(bytes.upperBound))"
  }
}
