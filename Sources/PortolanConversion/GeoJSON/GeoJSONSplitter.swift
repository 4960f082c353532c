internal import Foundation
internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanJSON

/// Cuts the features out of a GeoJSON text, one after the other, without reading them.
///
/// The text is a FeatureCollection, a feature, a geometry, or several of them one after the other,
/// as newline-delimited GeoJSON and text sequences (RFC 8142) have them, or in an array, as some programs
/// write them. No more than one feature is at hand.
///
/// A record of a text sequence that is damaged is handed out as it is, and the next record follows, as RFC 8142
/// has it.
struct GeoJSONSplitter {
  /// The short members of the collections that say what the features have in common.
  private(set) var members: JSONObject = [:]
  /// Whether the last feature is a document of its own, and no element of a list.
  private(set) var isDocument = false
  /// Whether the last feature is what is left of a damaged record.
  private(set) var isDamaged = false

  private var window: ByteWindow
  private var place = Place.betweenDocuments
  /// Whether the document is a record of a text sequence.
  private var isRecord = false

  private enum Place {
    case betweenDocuments
    case inMembers(ofCollection: Bool)
    case inFeatures(ofCollection: Bool)
  }

  /// The longest common member that is read, in bytes.
  private static let longestMember = 1 << 16
  private static let commonMembers: Set<String> = ["name", "crs"]
  private static let recordSeparator: UInt8 = 0x1E

  init(_ source: any ByteSource) { window = ByteWindow(source) }

  /// The offset in the file of the next byte.
  var offset: Int { window.offset }

  /// The text of the next feature, or `nil` at the end.
  ///
  /// - Throws: ``FeatureStoreError/damaged(file:place:reason:)`` if the text has no such structure
  ///   or ends before its time, but for a record of a text sequence.
  mutating func next() throws(FeatureStoreError) -> ArraySlice<UInt8>? {
    isDamaged = false
    do { return try nextSound() } catch .damaged where isRecord {
      return try damagedRecord()
    } catch .damaged(let file, let place, let reason) {
      // Of a feature that is broken off the next ones look like a part: where it begins is where to look.
      throw .damaged(
        file: file, place: window.lineOfMark().map { "line \($0)" } ?? place, reason: reason)
    }
  }

  private mutating func nextSound() throws(FeatureStoreError) -> ArraySlice<UInt8>? {
    while true {
      switch place {
      case .betweenDocuments:
        guard try beginDocument() else { return nil }
      case .inMembers(let isCollection):
        guard let document = try nextMember(isCollection) else { continue }
        isDocument = true
        return document
      case .inFeatures(let isCollection):
        guard let feature = try nextFeature(isCollection) else { continue }
        isDocument = false
        return feature
      }
    }
  }

  /// What is left of a record that is damaged, up to the next one.
  private mutating func damagedRecord() throws(FeatureStoreError) -> ArraySlice<UInt8> {
    while let byte = try window.peek(), byte != Self.recordSeparator { window.position += 1 }
    place = .betweenDocuments
    (isDocument, isDamaged) = (true, true)
    return window.bytes[window.mark..<window.position]
  }

  /// Goes to the first member of the next document; `false` if there is none.
  private mutating func beginDocument() throws(FeatureStoreError) -> Bool {
    try skipMark()
    while let byte = try window.peekAfterBlanks() {
      window.mark = window.position
      window.position += 1
      if byte == Self.recordSeparator {
        isRecord = true
        continue
      }
      switch byte {
      case UInt8(ascii: "{"): place = .inMembers(ofCollection: false)
      case UInt8(ascii: "["): place = .inFeatures(ofCollection: false)
      default: throw window.damaged("this is not GeoJSON")
      }
      return true
    }
    return false
  }

  /// Goes past a byte order mark at the start of the file.
  private mutating func skipMark() throws(FeatureStoreError) {
    guard window.offset == 0, try window.peek() == 0xEF else { return }
    window.position += min(3, window.bytes.count)
  }

  /// Goes past a member; returns the document if it ends here and is no collection.
  private mutating func nextMember(
    _ isCollection: Bool
  ) throws(FeatureStoreError) -> ArraySlice<UInt8>? {
    var byte = try window.peekAfterBlanks()
    if byte == UInt8(ascii: ",") {
      window.position += 1
      byte = try window.peekAfterBlanks()
    }
    if byte == UInt8(ascii: "}") {
      window.position += 1
      place = .betweenDocuments
      return isCollection ? nil : window.bytes[window.mark..<window.position]
    }
    guard byte == UInt8(ascii: "\"") else {
      throw window.damaged("the name of a member is missing")
    }
    let name = String(decoding: try value().dropFirst().dropLast(), as: UTF8.self)
    guard try window.peekAfterBlanks() == UInt8(ascii: ":") else {
      throw window.damaged("a colon is missing")
    }
    window.position += 1
    let first = try window.peekAfterBlanks()
    if name == "features", first == UInt8(ascii: "[") {
      window.position += 1
      place = .inFeatures(ofCollection: true)
    } else {
      keep(try value(), as: name)
      if isCollection { window.mark = window.position }
    }
    return nil
  }

  private mutating func keep(_ text: ArraySlice<UInt8>, as name: String) {
    guard Self.commonMembers.contains(name), text.count <= Self.longestMember else { return }
    // A member that cannot be read says nothing; the parser of the features will complain.
    guard let value = try? JSONValue(parsing: Data(text)) else { return }
    members[name] = value
  }

  private mutating func nextFeature(
    _ isCollection: Bool
  ) throws(FeatureStoreError) -> ArraySlice<UInt8>? {
    var byte = try window.peekAfterBlanks()
    if byte == UInt8(ascii: ",") {
      window.position += 1
      byte = try window.peekAfterBlanks()
    }
    window.mark = window.position
    if byte == UInt8(ascii: "]") {
      window.position += 1
      place = isCollection ? .inMembers(ofCollection: true) : .betweenDocuments
      return nil
    }
    return try value()
  }

  /// Goes past a value and returns its text.
  private mutating func value() throws(FeatureStoreError) -> ArraySlice<UInt8> {
    // Reading on moves what is at hand; the mark moves with it.
    let distance = window.position - window.mark
    var scan = JSONValueScan()
    while true {
      window.position = scan.advance(
        in: window.bytes, from: window.position, before: isRecord ? Self.recordSeparator : nil)
      if scan.isDone { break }
      if window.position < window.bytes.count {
        guard scan.isWholeAtEnd else { throw window.damaged("the record ends too early") }
        break
      }
      guard try window.fill() else {
        guard scan.isWholeAtEnd else { throw window.damaged("the text ends too early") }
        break
      }
    }
    let text = window.bytes[(window.mark + distance)..<window.position]
    guard !text.isEmpty else { throw window.damaged("a value is missing") }
    return text
  }
}
