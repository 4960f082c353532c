internal import Foundation

extension EditorTracking {
  /// What an edit leaves in the fields: who and when.
  ///
  /// A name longer than its field is cut; without a known user the field is emptied, so that it
  /// does not name another one. So is that of the date where the clock lies beyond what fields
  /// hold: such a clock is none.
  func stamp(
    user: String?, now: Date, isNew: Bool, in schema: FeatureTableSchema
  ) -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    let moment = AttributeValue.date(now)
    func set(_ name: String?, _ value: (Field) -> AttributeValue) {
      guard let field = name.flatMap({ schema.field(named: $0) }) else { return }
      let value = field.type.normalized(value(field)) ?? .null
      values[field.name] = field.type.holds(value) ? value : .null
    }
    set(editorField) { Self.name(user, for: $0) }
    set(editDateField) { _ in moment }
    guard isNew else { return values }
    set(creatorField) { Self.name(user, for: $0) }
    set(creationDateField) { _ in moment }
    return values
  }

  private static func name(_ user: String?, for field: Field) -> AttributeValue {
    guard let user else { return field.isNullable ? .null : .text("") }
    guard let length = field.length, length > 0 else { return .text(user) }
    return .text(String(String.UnicodeScalarView(user.unicodeScalars.prefix(length))))
  }
}

extension NewAttachment {
  /// What attachment tables hold; see Docs/FORMATS.md, 2.5.
  private static let (nameLimit, typeLimit, dataLimit) = (250, 150, 200 << 20)

  /// Checks the parts of an attachment against what attachment tables hold.
  func check(at place: EditPlace) throws(FeatureEditError) {
    for (field, text, limit) in [
      ("ATT_NAME", name, Self.nameLimit), ("CONTENT_TYPE", contentType, Self.typeLimit),
    ] where text.unicodeScalars.count > limit {
      throw .textTooLong(
        field: field, length: text.unicodeScalars.count, limit: limit, place)
    }
    guard data.count <= Self.dataLimit else {
      throw .dataTooLong(field: "DATA", length: data.count, limit: Self.dataLimit, place)
    }
  }
}
