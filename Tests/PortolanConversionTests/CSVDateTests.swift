import Foundation
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// Days, times and GUIDs in comma-separated values, which are texts there.
@Suite(.temporaryDirectory) struct CSVDateTests {
  private func read(_ cells: [String]) async throws -> (FieldType?, [AttributeValue?], [String]) {
    let url = temporaryDirectory.appending(path: "rows.csv")
    let lines = cells.map { "1,\($0)\n" }.joined()
    try Data("n,at\n\(lines)".utf8).write(to: url)
    let store = try await TableFile.csv(at: url)
    let schema = try #require(try await store.schemas().first)
    let rows = try await store.features(in: schema.name, matching: .init()).collect()
    return (
      schema.field(named: "at")?.type, rows.map { $0.attributes["at"] },
      (store as? any SurveyedStore)?.notes ?? []
    )
  }

  @Test func `A column of days is one of days, in every format that has them`() async throws {
    let (type, values, notes) = try await read(["2024-05-01", "", "1899-12-31"])
    #expect(type == .dateOnly && notes.isEmpty)
    #expect(values == [.text("2024-05-01"), .null, .text("1899-12-31")])
    let url = temporaryDirectory.appending(path: "rows.csv")
    let (copy, _) = try await TableFileConversionTests().convert(
      try await TableFile.csv(at: url), to: "rows.gpkg"
    ) { $0.coordinates = nil }
    let table = try #require(try await GeoPackage.open(at: copy).schemas().first)
    #expect(table.field(named: "at")?.type == .dateOnly)
    let (back, result) = try await TableFileConversionTests().convert(
      try await TableFile.csv(at: url), to: "back.csv"
    ) { $0.coordinates = nil }
    #expect(result.tables.map(\.writtenCount) == [3])
    #expect(try String(contentsOf: back, encoding: .utf8).contains("1,1,2024-05-01\r\n"))
  }

  @Test(arguments: [
    (["2024-05-01T12:00:00Z", "2024-05-01 14:00+02:00"], 0),
    (["2024-05-01T12:00:00", "2024-05-01 12:00"], 1),
    (["2024-05-01T12:00:00.0000004Z", ""], 1), (["2024-05-01 12:00:00.000000", ""], 1),
  ])
  func `A column of moments is one of moments, and what is assumed or left out is noted`(
    _ cells: [String], _ noteCount: Int
  ) async throws {
    let (type, values, notes) = try await read(cells)
    let moment = AttributeValue.date(Date(timeIntervalSince1970: 1_714_564_800))
    #expect(type == .date && values == cells.map { $0.isEmpty ? .null : moment })
    #expect(notes.count == noteCount, "\(notes)")
    for note in notes { #expect(note.contains("\"at\" of \"rows")) }
  }

  @Test(arguments: [
    ["2024-05-01", "soon"], ["2024-02-30"], ["01.05.2024"], ["12:00:00"], ["20240501T120000Z"],
    ["2024-05-01 25:00"],
  ])
  func `What is no day and no moment in all rows stays text`(_ cells: [String]) async throws {
    let (type, values, notes) = try await read(cells)
    #expect(type == .string && notes.isEmpty && values == cells.map { .text($0) })
  }

  @Test func `A column of GUIDs with braces is one of GUIDs`() async throws {
    let id = "{6F0A2C1E-9F54-4A0E-9D38-58A1F9A1D001}"
    let (type, values, _) = try await read([id])
    #expect(type == .guid && values == [.text(id)])
  }
}
