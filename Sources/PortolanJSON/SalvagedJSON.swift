public import Foundation

/// A document whose entries are each of use alone, such as a list of icons, read as far as it can be.
public struct SalvagedJSON: Hashable, Sendable {
  /// The document; of a damaged one an object with those entries that are whole.
  public let value: JSONValue
  /// Whether the document is no JSON, so that entries may be missing.
  public let isDamaged: Bool

  /// Reads a document in UTF-8.
  ///
  /// - Throws: ``JSONError`` if it is damaged and no entry of it is whole.
  public init(parsing data: Data) throws(JSONError) {
    var found = JSONValue.null
    var damage: JSONError?
    do throws(JSONError) { found = try JSONValue(parsing: data) } catch { damage = error }
    if let damage {
      let entries = Self.entries(of: [UInt8](data))
      guard !entries.isEmpty else { throw damage }
      found = .object(JSONObject(entries))
    }
    value = found
    isDamaged = damage != nil
  }

  /// The members anywhere in a document whose values are objects with no object in them.
  ///
  /// Each is looked for between its own braces, so that damage costs only the entries that it is in.
  private static func entries(of bytes: [UInt8]) -> [JSONObject.Member] {
    var entries: [JSONObject.Member] = []
    var opening: Int?
    for (place, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "{") {
        opening = place
      } else if byte == UInt8(ascii: "}") {
        if let brace = opening, let start = nameStart(before: brace, in: bytes) {
          entries += members(of: bytes[start...place])
        }
        opening = nil
      }
    }
    return entries
  }

  /// Where the name of the member begins whose value begins at a brace; `nil` if there is none.
  private static func nameStart(before brace: Int, in bytes: [UInt8]) -> Int? {
    let beforeColon = bytes[..<brace].trimmingSpace
    guard beforeColon.last == UInt8(ascii: ":") else { return nil }
    let name = beforeColon.dropLast().trimmingSpace
    guard name.last == UInt8(ascii: "\"") else { return nil }
    var rest = name.dropLast()
    while let quote = rest.lastIndex(of: UInt8(ascii: "\"")) {
      rest = rest[..<quote]
      let escapes = rest.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      guard escapes.isMultiple(of: 2) else { continue }
      // Elsewhere the quotation mark ends another text, and that of the name is damaged.
      let isFirst = rest.trimmingSpace.last == UInt8(ascii: "{")
      return isFirst || rest.trimmingSpace.last == UInt8(ascii: ",") ? quote : nil
    }
    return nil
  }

  private static func members(of text: ArraySlice<UInt8>) -> [JSONObject.Member] {
    var document: [UInt8] = [UInt8(ascii: "{")]
    document += text
    document.append(UInt8(ascii: "}"))
    // What is no JSON between its braces is the damage.
    return (try? JSONValue(parsing: Data(document)))?.object?.members ?? []
  }
}

extension ArraySlice<UInt8> {
  /// Without the white space of JSON at the end.
  fileprivate var trimmingSpace: ArraySlice<UInt8> {
    let last = lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return last.map { self[startIndex...$0] } ?? []
  }
}
