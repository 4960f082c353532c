public import PortolanFeatures

/// Chooses the fields by which the features of a table are found.
public enum SearchFields {
  /// The display field and the fields of an address; where the table has no display field, a name and
  /// the fields of an address.
  ///
  /// A display field that may be of a street is left without the parts of one, which would be in the label
  /// twice.
  ///
  /// - Parameters:
  ///   - schema: The table.
  ///   - displayField: The field that labels a feature, as the map says; the table's own if `nil`.
  /// - Returns: The names of the fields, as the table spells them; none if nothing in it is a name.
  public static func names(
    in schema: FeatureTableSchema, displayField: String? = nil
  ) -> [String] {
    let display = (displayField ?? schema.displayField).flatMap(schema.field(named:))
    var chosen: [Field] = []
    if let display, isName(display, in: schema) { chosen.append(display) }
    let address = address(in: schema)
    let isAddress = display.map { AddressPart(field: $0.name) != nil } ?? true
    let hasWhole = address.contains(where: isWhole)
    if isAddress, hasWhole || address.count > 1 { chosen = address }
    if chosen.isEmpty { chosen = address }
    if display == nil, !chosen.isEmpty, let name = ownName(in: schema) {
      chosen.insert(name, at: 0)
    } else if let display, !isWhole(display), hasWhole || hasHouse(address, of: display) {
      chosen += address.filter { !chosen.contains($0) }
    }
    if chosen.isEmpty, let named = named(in: schema) { chosen = [named] }
    let city = address.filter { AddressPart(field: $0.name) == .city }
    return (chosen + city.filter { !chosen.contains($0) }).map(\.name)
  }

  /// The parts of an address, in the order in which one is written; a street or a whole address has
  /// to be among them.
  private static func address(in schema: FeatureTableSchema) -> [Field] {
    let whole = schema.fields.first(where: isWhole)
    var parts: [AddressPart: Field] = [:]
    for field in schema.fields where field.type == .string || field.type.isNumeric {
      guard let part = AddressPart(field: field.name) else { continue }
      if let other = parts[part], !isVague(other) || isVague(field) { continue }
      parts[part] = field
    }
    let cities = parts[.city].map { [$0] } ?? []
    if let whole { return [whole] + cities }
    guard parts[.street] != nil else { return [] }
    return [.number, .letter, .direction, .street, .suffix, .unit, .city].compactMap { parts[$0] }
  }

  /// Whether the name of a field may mean something else as well.
  private static func isVague(_ field: Field) -> Bool { vagueNames.contains(plain(field.name)) }

  /// Whether a display field names or numbers what has an address, such as a shop or a hydrant, and not the
  /// street of it.
  private static func hasHouse(_ address: [Field], of display: Field) -> Bool {
    let name = plain(display.name)
    let isName = names.contains(name) && !otherNames.contains(name) || name.hasSuffix("id")
    return isName && address.contains { AddressPart(field: $0.name) == .number }
  }

  /// Whether a field has the whole address.
  private static func isWhole(_ field: Field) -> Bool {
    wholeAddresses.contains(plain(field.name))
  }

  /// The field with the name of what has an address, such as a shop.
  private static func ownName(in schema: FeatureTableSchema) -> Field? {
    schema.fields.first { field in
      let name = plain(field.name)
      return field.type == .string && names.contains(name) && !otherNames.contains(name)
    }
  }

  private static func named(in schema: FeatureTableSchema) -> Field? {
    let texts = schema.fields.filter { $0.type == .string }
    return texts.first { names.contains(plain($0.name)) }
      ?? texts.first { plain($0.name).contains("name") }
  }

  /// Whether the values of a field tell features apart for people.
  private static func isName(_ field: Field, in schema: FeatureTableSchema) -> Bool {
    guard field.name.lowercased() != schema.objectIDField.lowercased() else { return false }
    switch field.type {
    case .string, .smallInteger, .integer, .bigInteger: return true
    default: return false
    }
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  private static let wholeAddresses: Set<String> = [
    "fulladdress", "fulladdr", "address", "addr", "siteaddress", "siteaddr", "addressline",
    "streetaddress", "adresse",
  ]

  /// Names of fields that are parts of an address only where no other field of the table is that part.
  private static let vagueNames: Set<String> = [
    "number", "num", "no", "nr", "locality", "localityname", "suburb",
  ]

  /// Those of the names that may be of a street, or of no more than a number.
  private static let otherNames: Set<String> = [
    "fullname", "title", "label", "facilityid", "assetid",
  ]

  private static let names: Set<String> = [
    "name", "fullname", "title", "label", "placename", "featurename", "facilityid", "assetid",
    "namn", "nom", "nombre", "nome", "navn", "naam", "nimi", "nazwa", "název", "naziv", "ime",
    "isim", "имя", "название", "наименование", "назва", "име", "όνομα", "ονομα", "ονομασία",
    "ονομασια", "名称", "名稱", "名前", "名", "이름", "명칭", "اسم", "الاسم", "نام", "שם", "नाम", "ชื่อ",
  ]
}
