internal import Foundation
internal import PortolanConversion
internal import PortolanFiles
internal import PortolanGeometry

/// Writes a file of comma-separated values as GeoJSON, a record a line, which is then read as any
/// other GeoJSON file.
///
/// Memory does not grow with the file. Cells that are numbers in all records become numbers;
/// empty ones have no value.
struct CSVTranscript {
  let source: URL
  let x: String?
  let y: String?
  let reference: SpatialReference?

  /// How much is written at a time, in bytes.
  private static let pieceSize = 1 << 18

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - target: The file.
  ///   - losses: Gets the records that have no coordinates that can be read; they have no shape.
  /// - Throws: ``FileError``; a ``CSVFault`` if the columns are not there.
  func write(to target: URL, losses: inout ConversionResult) throws {
    let survey = try CSVSurvey(at: source, x: x, y: y)
    let line = CSVFeatureLine(survey)
    var file = try StagedFile(replacing: target)
    var piece = Array(opening.utf8)
    var isFirst = true
    var records = try CSVRecords(at: source)
    _ = try records.next()
    while let record = try records.next() {
      if !isFirst { piece += ",\n".utf8 }
      isFirst = false
      if !line.append(record, to: &piece) {
        losses.add(
          ConversionResult.Failure(
            part: source.lastPathComponent, item: "line \(records.line)",
            reason: "it has no coordinates and is kept without a shape"))
      }
      guard piece.count >= Self.pieceSize else { continue }
      try Task.checkCancellation()
      try file.write(Data(piece))
      piece.removeAll(keepingCapacity: true)
    }
    piece += "\n]}\n".utf8
    try file.write(Data(piece))
    try file.commit()
  }

  private var opening: String {
    let crs: String
    if let wkid = reference?.currentWKID, wkid != 4326 {
      crs =
        "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::\(wkid)\"}},"
    } else {
      crs = ""
    }
    return "{\"type\":\"FeatureCollection\",\(crs)\"features\":[\n"
  }
}
