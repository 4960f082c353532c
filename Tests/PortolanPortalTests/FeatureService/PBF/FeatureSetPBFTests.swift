import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanPortal
import PortolanProtobuf
import Testing

@Suite struct FeatureSetPBFTests {
  private static func field(_ name: String, _ type: UInt64, in message: inout PBFMessage) {
    message.field(13) {
      $0.field(1, name)
      $0.field(2, type)
    }
  }

  private static func list(_ numbers: [Int64]) -> [UInt8] {
    var message = PBFMessage()
    for number in numbers { message.zigzag(number) }
    return message.bytes
  }

  /// A polygon with two rings and values of several kinds.
  static let small = PBFMessage.features { result in
    result.field(1, "id")
    result.field(7, UInt64(3))
    result.field(8) { message in
      message.field(1, UInt64(102_100))
      message.field(2, UInt64(3857))
    }
    result.field(12) { transform in
      transform.field(2) { message in
        message.field(1, 0.5)
        message.field(2, 0.5)
      }
      transform.field(3) { message in
        message.field(1, 100.0)
        message.field(2, 200.0)
      }
    }
    field("id", 6, in: &result)
    field("name", 4, in: &result)
    field("shape", 7, in: &result)
    field("guid", 11, in: &result)
    field("big", 13, in: &result)
    result.field(15) { feature in
      feature.field(1) { $0.field(6, UInt64(7)) }
      feature.field(1) { $0.field(1, "Ä") }
      feature.field(1) { $0.field(1, "left out") }
      feature.field(1) { $0.field(1, "6f2c7b1e-0000-4000-8000-000000000001") }
      feature.field(1) { $0.field(8, UInt64.max) }
      feature.field(2) { shape in
        shape.field(2, [5, 5])
        shape.field(
          3, list([0, 0, 10, 0, 0, 10, -10, 0, 0, -10, 2, 2, 0, 4, 4, 0, 0, -4, -4, 0]))
      }
    }
  }

  @Test func `Many fields of many empty features are refused before they take memory`() {
    let data = PBFMessage.features { result in
      for number in 0..<5_000 { Self.field("f\(number)", 4, in: &result) }
      for _ in 0..<5_000 { result.field(15) { _ in } }
    }
    #expect(throws: PBFError.self) { try FeatureSet(parsingPBF: data) }
  }

  @Test func `Values and shapes are read`() throws {
    let set = try FeatureSet(parsingPBF: Self.small)
    #expect(set.fields.map(\.name) == ["id", "name", "guid", "big"])
    let feature = try #require(set.features.first)
    #expect(feature.objectID == 7)
    #expect(
      feature.attributes.values == [
        .integer(7), .text("Ä"), .text("{6f2c7b1e-0000-4000-8000-000000000001}"),
        .integer(.min),
      ])
    guard case .polygon(let polygon)? = feature.geometry else {
      Issue.record("there is no polygon")
      return
    }
    #expect(polygon.rings.map(\.count) == [5, 5])
    #expect(polygon.rings[0].coordinates.contains(Coordinate(x: 105, y: 195)))
    // The second part counts from the beginning again, and lies inside the first.
    #expect(polygon.rings[1].coordinates.contains(Coordinate(x: 101, y: 199)))
    #expect(polygon.rings[0].signedArea > 0 && polygon.rings[1].signedArea < 0)
  }

  @Test func `From the lower left y runs upwards`() throws {
    let data = PBFMessage.features { result in
      result.field(12) { transform in
        transform.field(1, UInt64(1))
        transform.field(2) { message in
          message.field(1, 2.0)
          message.field(2, 2.0)
        }
        transform.field(3) { message in
          message.field(1, 1.0)
          message.field(2, 1.0)
        }
      }
      result.field(15) { $0.field(2) { $0.field(3, Self.list([3, 4])) } }
    }
    let set = try FeatureSet(parsingPBF: data)
    #expect(set.features.first?.geometry == .point(Point(x: 7, y: 9)))
    #expect(set.features.first?.objectID == 1 && set.objectIDField == nil)
  }

  @Test func `Every beginning of a body is refused or read, and none is followed too far`() {
    let whole = Self.small
    for length in 0..<whole.count {
      let part = whole.prefix(length)
      #expect(throws: PBFError.self) { try FeatureSet(parsingPBF: part) }
    }
  }

  @Test func `Every changed byte is refused or read`() {
    for index in Self.small.indices {
      for value in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
        var data = Self.small
        data[index] = value
        // Whatever comes of it: it must come.
        _ = try? FeatureSet(parsingPBF: data)
      }
    }
  }

  @Test(arguments: ["{}", "<html>", "[1]", "", "\u{12}\u{2}\u{A}"])
  func `Invalid PBF is refused`(_ text: String) {
    #expect(throws: PBFError.self) { try FeatureSet(parsingPBF: Data(text.utf8)) }
  }

  @Test(arguments: [[UInt64.max], [1 << 40], [4, 1 << 62], [3], [2, 1]])
  func `Parts longer than the list of vertices make no shape`(_ lengths: [UInt64]) throws {
    var announced = PBFMessage()
    for length in lengths { announced.varint(length) }
    let data = PBFMessage.features { result in
      result.field(7, UInt64(2))
      result.field(15) { feature in
        feature.field(2) { shape in
          shape.field(2, announced.bytes)
          shape.field(3, Self.list([1, 1, 1, 1]))
        }
      }
    }
    // A length beyond what a machine counts cannot be followed at all.
    guard let set = try? FeatureSet(parsingPBF: data) else { return }
    #expect(set.features.count == 1)
    #expect(set.features.first?.geometry == nil && set.unreadableShapes.count == 1)
  }

  @Test func `Differences beyond all measure do not overflow`() throws {
    let data = PBFMessage.features { result in
      result.field(7, UInt64(2))
      result.field(15) { feature in
        feature.field(2) { $0.field(3, Self.list([.max, .max, .max, .max, .min, .min])) }
      }
    }
    #expect(try FeatureSet(parsingPBF: data).features.first?.geometry?.paths.first?.count == 3)
  }
}
