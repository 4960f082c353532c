import Foundation
import PortolanArchives
import PortolanFeatures
import Testing

@testable import PortolanConversion

@Suite struct DamagedGeoJSONTests {
  private static let text = GeoJSONText.collection(
    [
      GeoJSONText.point(#""a":1,"t":"x\"]}""#, id: "1"),
      GeoJSONText.shape("LineString", "[[1,2],[3,4,5]]"),
    ], members: "\"name\":\"n\",")

  @Test func `Every beginning of a file is refused or read`() async throws {
    let bytes = Array(Self.text.utf8)
    var refused = 0
    for end in 0..<bytes.count {
      do {
        _ = try await GeoJSONFile.open(
          MemoryByteSource(Data(bytes[..<end]), name: "x"), stem: "x")
      } catch {
        guard case .damaged = error else {
          Issue.record("\(error) at \(end)")
          continue
        }
        refused += 1
      }
    }
    // Nothing at all is an empty file; every other beginning lacks its end.
    #expect(refused == bytes.count - 1)
  }

  @Test func `Any byte may be wrong`() async throws {
    var bytes = Array(Self.text.utf8)
    for index in bytes.indices {
      let sound = bytes[index]
      for wrong: UInt8 in [0, 0x22, 0x5C, 0x5D, 0x7D, 0x7B, 0x2C, 0xFF] {
        bytes[index] = wrong
        do {
          let store = try await GeoJSONFile.open(
            MemoryByteSource(Data(bytes), name: "x"), stem: "x")
          for schema in try await store.schemas() {
            _ = try await store.features(in: schema.name, matching: QueryParameters()).collect()
          }
        } catch {
          // Refused, which is right; anything else would have ended the process.
          continue
        }
      }
      bytes[index] = sound
    }
  }

  @Test(arguments: [
    // The last line is cut.
    (#"{"type":"Feature","properties":{},"geometry":nu"#, 4),
    (#"{"type":"Feature","properties":{"a":"b"#, 4), (#"{"type":"Feature","prop"#, 4),
    (#"{"type":"Feature""#, 4), ("{", 4),
    // A line in the middle is, and others follow.
    (#"{"type":"Feature","prop"# + "\n" + GeoJSONText.point(#""a":2"#), 4),
    (#"{"type":"Feature","properties":{"# + "\r\n" + GeoJSONText.point(#""a":2"#) + "\r\n", 4),
    ("}" + "\n" + GeoJSONText.point(#""a":2"#), 4),
    // The first feature of a list is on its second line.
    (#"{"type":"FeatureCollection","features":["# + "\n" + #"{"type":"Feature","#, 5),
  ])
  func `A line that breaks off is named`(_ end: String, _ line: Int) async throws {
    let lines = [1, 2].map { GeoJSONText.point("\"a\":\($0)") } + ["", end]
    for text in [lines.joined(separator: "\n"), lines.joined(separator: "\r\n")] {
      let error = await #expect(throws: FeatureStoreError.self) {
        try await GeoJSONText.store(text)
      }
      guard case .damaged(_, let place, _)? = error else { continue }
      #expect(place == "line \(line)")
      #expect(error?.errorDescription?.contains("is damaged, in line \(line): ") == true)
    }
  }

  @Test(arguments: [true, false])
  func `A feature that breaks off far behind the first is named by its line`(
    _ isList: Bool
  ) async throws {
    let count = 30_000
    let features = (1...count).map { GeoJSONText.point("\"a\":\($0)") }
    var text = (isList ? "[" : "") + features.joined(separator: isList ? ",\n" : "\n")
    text.removeLast(2)
    let error = await #expect(throws: FeatureStoreError.self) {
      try await GeoJSONText.store(text)
    }
    guard case .damaged(_, let place, _)? = error else { return }
    #expect(place == "line \(count)")
  }

  @Test(arguments: ["Infinity", "-Infinity"])
  func `An infinite number, which is no JSON, costs a feature nothing else, and is reported`(
    _ number: String
  ) async throws {
    let features = [
      #""a":1.5,"t":"Infinity""#, #""a":\#(number),"t":"\#(number)""#, #""a":NaN,"t":"x""#,
    ].map { GeoJSONText.point($0) }
    let store = try await GeoJSONText.store(GeoJSONText.collection(features))
    let rows = try await GeoJSONText.rows(store)
    #expect(rows.map { $0.attributes["a"] } == [.double(1.5), .null, .null])
    #expect(rows.map { $0.attributes["t"] } == ["Infinity", number, "x"].map { .text($0) })
    #expect(rows.allSatisfy { $0.geometry != nil })
    #expect(store.failures.map(\.item) == ["feature 2"] && store.damagedCount == 1)
  }

  @Test func `TopoJSON is refused by its name`() async throws {
    let text = """
      {"type":"Topology","objects":{"a":{"type":"Point","coordinates":[1,2]}},"arcs":[]}
      """
    await #expect(throws: FeatureStoreError.unsupported(file: "x", feature: "TopoJSON")) {
      try await GeoJSONFile.open(MemoryByteSource(Data(text.utf8), name: "x"), stem: "x")
    }
  }

  @Test func `A topology among features is one that cannot be read`() async throws {
    let topology = #"{"type":"Topology","objects":{},"arcs":[]}"#
    let features = [GeoJSONText.point(#""a":1"#), topology]
    for text in [GeoJSONText.collection(features), "[\(features.joined(separator: ","))]"] {
      let store = try await GeoJSONText.store(text)
      #expect(try await GeoJSONText.rows(store).count == 1)
      #expect(store.failures.map(\.item) == ["feature 2"])
    }
  }

  @Test(arguments: ["", "  \n", "[]", "x", "{", "{}", "{\"features\":[]}", "null", "{\"a\":1}"])
  func `A text that is no GeoJSON holds nothing`(text: String) async throws {
    do {
      let store = try await GeoJSONText.store(text)
      #expect(try await GeoJSONText.rows(store).isEmpty)
    } catch FeatureStoreError.damaged(_, let place, _) {
      #expect(place.hasPrefix("byte"))
    }
  }

  @Test func `Deep nesting is refused`() async throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let store = try await GeoJSONText.store(
      GeoJSONText.collection([GeoJSONText.point("\"a\":\(deep)"), GeoJSONText.point("\"a\":1")]))
    #expect(store.damagedCount == 1)
    #expect(try await GeoJSONText.rows(store).count == 1)
  }
}
