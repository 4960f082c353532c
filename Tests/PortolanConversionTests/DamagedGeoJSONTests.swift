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
