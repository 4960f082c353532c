internal import Foundation
internal import PortolanConversion
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON

/// Writes a file of comma-separated values as GeoJSON, a record a line, which is then read as any
/// other GeoJSON file; its spatial reference is stored beside it.
///
/// Memory does not grow with the file. Cells that are numbers in all records become numbers;
/// empty ones have no value.
struct CSVTranscript {
  let source: URL
  let x: String?
  let y: String?
  /// The spatial reference of its coordinates, if that is named.
  let reference: SpatialReference?

  /// How much is written at a time, in bytes.
  private static let pieceSize = 1 << 18

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - target: The file.
  ///   - losses: Gets the records whose shapes cannot be read; they have none. Also gets notes of the
  ///     encoding, of a reference that is not understood, and of measures, which are left out.
  /// - Returns: The spatial reference of the coordinates; `nil` if that is unknown, or if there are
  ///   none.
  /// - Throws: `FeatureStoreError`, `FileError`; a ``CSVFault`` if the columns are not there.
  @discardableResult
  func write(to target: URL, losses: inout ConversionResult) throws -> SpatialReference? {
    let survey = try CSVSurvey(at: source, x: x, y: y, reference: reference)
    var line = CSVFeatureLine(survey)
    var file = try StagedFile(replacing: target)
    var piece = Array(opening.utf8)
    var isFirst = true
    var records = try CSVRecords(at: source)
    _ = try records.next()
    while let record = try records.next() {
      if !isFirst { piece += ",\n".utf8 }
      isFirst = false
      if let fault = line.append(record, to: &piece) {
        losses.add(
          ConversionResult.Failure(
            part: source.lastPathComponent, item: "line \(records.line)",
            reason: "\(fault); it is kept without a shape"))
      }
      guard piece.count >= Self.pieceSize else { continue }
      try Task.checkCancellation()
      try file.write(Data(piece))
      piece.removeAll(keepingCapacity: true)
    }
    piece += "\n]}\n".utf8
    try file.write(Data(piece))
    try file.commit()
    let measureNote =
      line.hasMeasures ? "The measures of \"\(source.lastPathComponent)\" are left out." : nil
    losses.notes += [records.encodingNote, survey.unknownReference?.note, measureNote].compactMap(
      \.self)
    return survey.shapes?.reference
  }

  private var opening: String {
    let name = JSONValue.string(source.deletingPathExtension().lastPathComponent).text()
    return "{\"type\":\"FeatureCollection\",\"name\":\(name),\"features\":[\n"
  }
}
