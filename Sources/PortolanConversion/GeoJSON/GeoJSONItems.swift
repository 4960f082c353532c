internal import Foundation
internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON

/// The features of a GeoJSON text, some at a time.
struct GeoJSONItems {
  /// A feature, or why it cannot be read.
  typealias Element = Result<GeoJSONItem, Damage>

  /// A feature that cannot be read.
  struct Damage: Error {
    /// Which feature of the file it is, counted from 1.
    var number: Int
    /// Why, in words without a full stop.
    var reason: String
    /// Whether it is a document of another format, TopoJSON, and no element of a list.
    var isTopology = false
  }

  private(set) var splitter: GeoJSONSplitter
  private var number = 0

  /// How much text is parsed at once, in bytes: enough to make the start of the parser small.
  private static let batchSize = 1 << 18

  init(_ source: any ByteSource) { splitter = GeoJSONSplitter(source) }

  /// The next features; empty at the end.
  mutating func next() throws(FeatureStoreError) -> [Element] {
    var text = Data("[".utf8)
    var ranges: [Range<Int>] = []
    var areDocuments: [Bool] = []
    var areSound = true
    while text.count < Self.batchSize, let next = try splitter.next() {
      let feature = LongIntegers.quoted(in: next)
      if !ranges.isEmpty { text.append(UInt8(ascii: ",")) }
      ranges.append(text.count..<text.count + feature.count)
      text.append(contentsOf: feature)
      areDocuments.append(splitter.isDocument)
      areSound = areSound && !splitter.isDamaged
    }
    text.append(UInt8(ascii: "]"))
    defer { number += ranges.count }
    // If one of them is damaged, each is looked at alone.
    if areSound, let values = try? JSONValue(parsing: text).array, values.count == ranges.count {
      return values.enumerated().map { item($1, number + $0 + 1, areDocuments[$0]) }
    }
    return ranges.enumerated().map {
      item(text.subdata(in: $1), number + $0 + 1, areDocuments[$0])
    }
  }

  /// Calls `body` with all features.
  mutating func readAll(_ body: (Element) -> Void) throws(FeatureStoreError) {
    try readAllNumbered { element, _ in body(element) }
  }

  /// Calls `body` with all features and their numbers in the file, from 1.
  mutating func readAllNumbered(_ body: (Element, Int) -> Void) throws(FeatureStoreError) {
    var number = 0
    while case let items = try next(), !items.isEmpty {
      for item in items {
        number += 1
        body(item, number)
      }
    }
  }

  private func item(_ text: Data, _ number: Int, _ isDocument: Bool) -> Element {
    do { return item(try JSONValue(parsing: text), number, isDocument) } catch {
      // What is damaged in another way as well is reported for that.
      if let repair = NotANumber.nulled(in: text), let value = try? JSONValue(parsing: repair.text)
      {
        return item(value, number, isDocument).map { item in
          var item = item
          item.lacksInfinity = repair.hadInfinity
          return item
        }
      }
      return .failure(Damage(number: number, reason: error.plainReason))
    }
  }

  private func item(_ value: JSONValue, _ number: Int, _ isDocument: Bool) -> Element {
    do { return .success(try GeoJSONItem(value)) } catch {
      return .failure(
        Damage(
          number: number, reason: error.plainReason,
          isTopology: isDocument && value["type"]?.string == "Topology"))
    }
  }
}
