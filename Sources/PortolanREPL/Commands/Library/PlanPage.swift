internal import PortolanApp
internal import PortolanJSON

/// The space that downloads need, and whether it is free, as text and as JSON.
struct PlanPage {
  let previews: [DownloadPreview]

  var result: CommandResult {
    CommandResult(
      text: TextDocument(previews.flatMap(blocks)),
      json: ["plans": .array(previews.map(\.json))],
      status: previews.allSatisfy(\.fits) ? .done : .failed)
  }

  private func blocks(_ preview: DownloadPreview) -> [TextDocument.Block] {
    let least = preview.isExact ? "" : "at least "
    let files = preview.files.count == 1 ? "a file" : "\(preview.files.count) files"
    var fields: [TextDocument.Field] = [
      .init("To download", "\(least)\(ByteCount.text(preview.bytesToFetch)), of \(files)")
    ]
    if preview.presentBytes > 0 {
      fields.append(.init("Here already", ByteCount.text(preview.presentBytes)))
    }
    fields.append(.init("Most space taken", ByteCount.text(preview.peakBytes)))
    if let free = preview.freeBytes { fields.append(.init("Free", ByteCount.text(free))) }
    let verdict =
      preview.fits
      ? "There is enough free space."
      : "There is not enough free space: it needs \(ByteCount.text(preview.missingBytes)) more."
    return [.heading(preview.title), .fields(fields), .line(verdict)]
  }
}
