internal import Foundation
internal import PortolanConversion
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON

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
    var file = try StagedFile(replacing: target)
    var piece = Data(opening.utf8)
    var isFirst = true
    var records = try CSVRecords(at: source)
    _ = try records.next()
    while let record = try records.next() {
      let (feature, isPlaced) = Self.feature(record, survey)
      if !isPlaced {
        losses.add(
          ConversionResult.Failure(
            part: source.lastPathComponent, item: "line \(records.line)",
            reason: "it has no coordinates and is kept without a shape"))
      }
      piece += (isFirst ? "" : ",\n").utf8
      piece += feature.encoded()
      isFirst = false
      guard piece.count >= Self.pieceSize else { continue }
      try Task.checkCancellation()
      try file.write(piece)
      piece.removeAll(keepingCapacity: true)
    }
    piece += "\n]}\n".utf8
    try file.write(piece)
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

  private static func feature(
    _ record: [String], _ survey: CSVSurvey
  ) -> (JSONValue, isPlaced: Bool) {
    let properties = survey.columns.map { column in
      JSONObject.Member(name: column.name, value: value(record, column))
    }
    var geometry = JSONValue.null
    if let places = survey.coordinates, let x = number(record, places.x),
      let y = number(record, places.y)
    {
      geometry = ["type": "Point", "coordinates": [.number(x), .number(y)]]
    }
    return (
      ["type": "Feature", "geometry": geometry, "properties": .object(JSONObject(properties))],
      survey.coordinates == nil || !geometry.isNull
    )
  }

  private static func value(_ record: [String], _ column: CSVSurvey.Column) -> JSONValue {
    guard record.indices.contains(column.index) else { return .null }
    let cell = record[column.index]
    guard !cell.isEmpty else { return .null }
    switch column.kind {
    case .integer: return CSVSurvey.integer(cell).map { .integer($0) } ?? .null
    case .number: return CSVSurvey.number(cell).map { .number($0) } ?? .null
    case .text: return .string(cell)
    }
  }

  private static func number(_ record: [String], _ index: Int) -> Double? {
    record.indices.contains(index)
      ? CSVSurvey.number(record[index].trimmingCharacters(in: .whitespaces)) : nil
  }
}
