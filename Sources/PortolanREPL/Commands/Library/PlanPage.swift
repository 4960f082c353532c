internal import PortolanApp
internal import PortolanJSON
internal import PortolanOffline

/// What downloads would need, and whether there is room, as text and as JSON.
struct PlanPage {
  let previews: [DownloadPreview]

  var result: CommandResult {
    CommandResult(
      text: TextDocument(previews.flatMap(blocks)),
      json: ["plans": .array(previews.map(Self.value))],
      status: previews.allSatisfy(\.estimate.fits) ? .done : .failed)
  }

  private func blocks(_ preview: DownloadPreview) -> [TextDocument.Block] {
    let estimate = preview.estimate
    let least = estimate.isExact ? "" : "at least "
    let files = estimate.files.count == 1 ? "a file" : "\(estimate.files.count) files"
    var fields: [TextDocument.Field] = [
      .init("To download", "\(least)\(ByteCount.text(estimate.bytesToFetch)), of \(files)")
    ]
    if estimate.presentBytes > 0 {
      fields.append(.init("Here already", ByteCount.text(estimate.presentBytes)))
    }
    fields.append(.init("Most room needed", ByteCount.text(estimate.peakBytes)))
    if let free = estimate.freeBytes { fields.append(.init("Free", ByteCount.text(free))) }
    let verdict =
      estimate.fits
      ? "There is room for it."
      : "There is not enough room: \(ByteCount.text(estimate.shortfall)) are missing."
    return [.heading(preview.title), .fields(fields), .line(verdict)]
  }

  private static func value(_ preview: DownloadPreview) -> JSONValue {
    let estimate = preview.estimate
    return [
      "title": .string(preview.title),
      "files": .array(
        estimate.files.map {
          [
            "title": .string($0.title),
            "bytes": $0.byteCount.map { .integer(Int64($0)) } ?? .null,
          ]
        }), "bytesToFetch": .integer(Int64(estimate.bytesToFetch)),
      "isExact": .bool(estimate.isExact),
      "presentBytes": .integer(Int64(estimate.presentBytes)),
      "peakBytes": .integer(Int64(estimate.peakBytes)),
      "freeBytes": estimate.freeBytes.map { .integer(Int64($0)) } ?? .null,
      "missingBytes": .integer(Int64(estimate.shortfall)), "fits": .bool(estimate.fits),
    ]
  }
}
