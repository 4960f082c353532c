import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanConversion

/// In which encodings files of comma-separated values are read.
@Suite(.temporaryDirectory) struct CSVEncodingTests {
  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [0, 1])
  func `A text in UTF-16 is read behind its mark, also where characters lie across its pieces`(
    _ encoding: String.Encoding, _ shift: Int
  ) async throws {
    let url = temporaryDirectory.appending(path: "wide.csv")
    let name = String(repeating: "n", count: shift) + String(repeating: "🗺", count: 300_000)
    try #require("\u{FEFF}a;b\r\n1;\(name)\r\n".data(using: encoding)).write(to: url)
    let store = try await TableFile.csv(at: url)
    let rows = try await store.features(in: "wide", matching: .init()).collect()
    #expect(rows.map { $0.attributes["a"] } == [.integer(1)])
    #expect(rows.first?.attributes["b"] == .text(name))
    let notes = try #require(store as? any SurveyedStore).notes
    #expect(notes == ["\"wide.csv\" was read as UTF-16."])
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func `UTF-16 text without a byte order mark is recognized by its zeros`(
    _ encoding: String.Encoding
  ) async throws {
    let url = temporaryDirectory.appending(path: "bare.csv")
    try #require("名前;Город\r\n一世;Ā\r\n".data(using: encoding)).write(to: url)
    let store = try await TableFile.csv(at: url)
    let rows = try await store.features(in: "bare", matching: .init()).collect()
    #expect(rows.map { $0.attributes["名前"] } == [.text("一世")])
    #expect(rows.map { $0.attributes["Город"] } == [.text("Ā")])
    let notes = try #require(store as? any SurveyedStore).notes
    #expect(notes == ["\"bare.csv\" was read as UTF-16."])
  }

  @Test(arguments: ["a;b\n1;x\0\0\0\n2;y\0\0\0\n", "a;b\n1;\0x\n", "a;b\n1;x\n\0"])
  func `A text in UTF-8 with zeros in it stays one`(_ text: String) async throws {
    let url = temporaryDirectory.appending(path: "filled.csv")
    try Data(text.utf8).write(to: url)
    let store = try await TableFile.csv(at: url)
    let rows = try await store.features(in: "filled", matching: .init()).collect()
    #expect(rows.first?.attributes["a"] != nil)
    #expect(try #require(store as? any SurveyedStore).notes.isEmpty)
  }
}
