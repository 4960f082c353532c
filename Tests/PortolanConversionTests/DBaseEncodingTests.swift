import Foundation
import PortolanFeatures
import Testing

@testable import PortolanConversion

/// Names and texts of tables in the format of dBASE, in the encodings of old systems.
@Suite struct DBaseEncodingTests {
  private static let moscow: [UInt8] = [0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0]
  private static let beijing: [UInt8] = [0xB1, 0xB1, 0xBE, 0xA9]

  /// A table of one row, whose fields have twenty bytes.
  private static func table(
    _ fields: [(name: [UInt8], value: [UInt8])], driver: UInt8 = 0
  ) -> Data {
    let width = 20
    let (start, length) = (33 + 32 * fields.count, 1 + width * fields.count)
    var bytes: [UInt8] = [3, 124, 1, 1, 1, 0, 0, 0]
    for number in [start, length] {
      bytes.append(UInt8(number & 0xFF))
      bytes.append(UInt8(number >> 8))
    }
    bytes.append(contentsOf: [UInt8](repeating: 0, count: 17))
    bytes.append(contentsOf: [driver, 0, 0])
    for field in fields {
      bytes.append(contentsOf: field.name)
      bytes.append(contentsOf: [UInt8](repeating: 0, count: 11 - field.name.count))
      bytes.append(contentsOf: [UInt8(ascii: "C"), 0, 0, 0, 0, UInt8(width), 0])
      bytes.append(contentsOf: [UInt8](repeating: 0, count: 14))
    }
    bytes.append(contentsOf: [0x0D, 0x20])
    for field in fields {
      bytes.append(contentsOf: field.value)
      bytes.append(contentsOf: [UInt8](repeating: 0x20, count: width - field.value.count))
    }
    return Data(bytes)
  }

  private static let tables: [(String?, UInt8, [UInt8], String)] = [
    ("1251", 0, moscow, "Москва"), ("ANSI 1251\r\n", 0, moscow, "Москва"),
    (nil, 0xC9, moscow, "Москва"), ("nonsense", 0xC9, moscow, "Москва"),
    ("LDID/201", 0, moscow, "Москва"), ("GBK", 0, beijing, "北京"), (nil, 0x4D, beijing, "北京"),
    ("OEM 852", 0, [0x9D, 0xA2, 0x64, 0xAB], "Łódź"), (nil, 0x57, [0x80, 0xE9], "€é"),
    (nil, 0, [0x80, 0xE9], "€é"), (nil, 0xC9, [0xC3, 0xA9], "é"), ("UTF-8", 0, [0xC3, 0xA9], "é"),
    ("UTF-8", 0, [0xE9], "é"),
    // Nine bytes of UTF-8 and one of the next character; two characters of GBK that look like such.
    ("UTF-8", 0, Array("北京市".utf8) + [0xE5], "北京市"),
    (nil, 0, Array("北京市".utf8) + [0xE5], "北京市"),
    (nil, 0x4D, [0xC4, 0xA3, 0xE3, 0xBF], "模憧"),
  ]

  @Test(
    arguments: [
      ("1251", 0, moscow, ["1251"]), (nil, 0x4D, beijing, ["code page 936"]),
      (nil, 0, [0x80, 0xE9], ["Windows-1252"]), ("UTF-8", 0, [0xC3, 0xA9], []),
      (nil, 0, Array("北京市".utf8) + [0xE5], []), ("1251", 0, Array("plain".utf8), []),
    ] as [(String?, UInt8, [UInt8], Set<String>)])
  func `The encoding that texts are read in is reported, except for UTF-8`(
    _ label: String?, _ driver: UInt8, _ bytes: [UInt8], _ names: Set<String>
  ) throws {
    let data = Self.table([([UInt8(ascii: "N")], bytes)], driver: driver)
    #expect(try DBaseTable(data, encoding: label, file: "towns").otherEncodings == names)
  }

  @Test(arguments: tables)
  func `Names and texts are read in the encoding declared beside the table or in its header`(
    _ label: String?, _ driver: UInt8, _ bytes: [UInt8], _ text: String
  ) throws {
    let data = Self.table([(bytes, bytes)], driver: driver)
    let table = try DBaseTable(data, encoding: label, file: "towns")
    #expect(table.fields.map(\.name) == [text])
    let values = try #require(table.values(0))
    #expect(values == [.text(text)])
  }

  @Test func `No field is lost for its name, or for having none`() throws {
    let names = ["NAME", "name", "", "ИМЯ"].map { Array($0.utf8) }
    let fields: [(name: [UInt8], value: [UInt8])] = names.enumerated().map { number, name in
      (name: name, value: Array("\(number)".utf8))
    }
    let table = try DBaseTable(Self.table(fields), encoding: nil, file: "towns")
    #expect(table.fields.map(\.name) == ["NAME", "name_2", "column_3", "ИМЯ"])
    let values = try #require(table.values(0))
    #expect(values == [.text("0"), .text("1"), .text("2"), .text("3")])
  }
}
