internal import Foundation
internal import PortolanFeatures

/// Edits of features that others edit as well, in numbered groups, each of which is there or not.
struct SharedEdits {
  static let table = "Lighthouses"
  static let field = "NAME"
  /// How many of the first features are changed, and have files attached to them.
  static let contested = 4

  /// The name of the home, so that no two have the same marks.
  let home: String

  /// What a group is known by.
  func mark(_ number: Int) -> String { "\(home)-\(number)" }

  /// A new feature, another name for one that others change too, and by turns a file that is attached to
  /// it, one that is replaced, or a feature that is removed.
  func edits(_ number: Int, in store: some FeatureStore) async throws -> [FeatureEdit] {
    let query = QueryParameters(orderBy: [.init("GlobalID")])
    let features = try await store.features(in: Self.table, matching: query).collect()
    let originals = features.filter { !Self.isMarkedAsAdded($0) }
    guard originals.count >= Self.contested else { throw CrashTestError.noArea }
    let contested = originals[number % Self.contested]
    var edits: [FeatureEdit] = [
      .add(
        NewFeature(
          attributes: [Self.field: .text("added-\(mark(number))")],
          geometry: contested.geometry), table: Self.table),
      .update(
        .objectID(contested.objectID), table: Self.table,
        attributes: [Self.field: .text(mark(number))]),
    ]
    switch number % 6 {
    case 0, 3:
      let file = NewAttachment(
        name: "\(mark(number)).txt", contentType: "text/plain", data: Data(mark(number).utf8))
      edits.append(.addAttachment(file, to: .objectID(contested.objectID), table: Self.table))
    case 2:
      let files = try await store.attachments(of: contested.objectID, in: Self.table)
      guard let first = files.first else { break }
      let file = NewAttachment(
        name: first.name, contentType: "text/plain", data: Data(mark(number).utf8))
      edits.append(.updateAttachment(first.id, file, table: Self.table))
    // A version that was rolled back to may have more of them than the service.
    case 5 where originals.count > Self.contested + 4:
      let others = originals.dropFirst(Self.contested)
      guard let removed = others.dropFirst(number / 6 % others.count).first else { break }
      edits.append(.delete(.objectID(removed.objectID), table: Self.table))
    default: break
    }
    return edits
  }

  static func text(_ feature: Feature) -> String {
    if case .text(let text)? = feature.attributes[field] { text } else { "" }
  }

  static func isMarkedAsAdded(_ feature: Feature) -> Bool { text(feature).hasPrefix("added-") }
}
