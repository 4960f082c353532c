internal import PortolanJSON
internal import PortolanOffline

/// What downloads would bring, and whether there is room, as text and as JSON.
struct PlanPage {
  let plans: [DownloadPlan]

  var result: CommandResult {
    CommandResult(
      text: TextDocument(plans.flatMap(blocks)),
      json: ["plans": .array(plans.map(Self.value))],
      status: plans.allSatisfy(\.fits) ? .done : .failed)
  }

  private func blocks(_ plan: DownloadPlan) -> [TextDocument.Block] {
    let least = plan.isExact ? "" : "at least "
    var fields: [TextDocument.Field] = [
      .init("To download", "\(least)\(ByteCount.text(plan.byteCount)) in \(files(plan))")
    ]
    if plan.presentByteCount > 0 {
      fields.append(.init("Here already", "up to \(ByteCount.text(plan.presentByteCount))"))
    }
    fields.append(.init("Most room needed", ByteCount.text(plan.peakByteCount)))
    if let free = plan.freeByteCount { fields.append(.init("Free", ByteCount.text(free))) }
    let verdict =
      plan.fits
      ? "There is room for it."
      : "There is not enough room: \(ByteCount.text(plan.missingByteCount)) are missing."
    return [.heading(plan.title), .fields(fields), .line(verdict)]
  }

  private func files(_ plan: DownloadPlan) -> String {
    plan.parts.count == 1 ? "a file" : "\(plan.parts.count) files"
  }

  private static func value(_ plan: DownloadPlan) -> JSONValue {
    [
      "title": .string(plan.title),
      "parts": .array(
        plan.parts.map {
          [
            "title": .string($0.title),
            "bytes": $0.byteCount.map { .integer(Int64($0)) } ?? .null,
          ]
        }), "bytes": .integer(Int64(plan.byteCount)), "isExact": .bool(plan.isExact),
      "presentBytes": .integer(Int64(plan.presentByteCount)),
      "peakBytes": .integer(Int64(plan.peakByteCount)),
      "freeBytes": plan.freeByteCount.map { .integer(Int64($0)) } ?? .null,
      "missingBytes": .integer(Int64(plan.missingByteCount)), "fits": .bool(plan.fits),
    ]
  }
}
