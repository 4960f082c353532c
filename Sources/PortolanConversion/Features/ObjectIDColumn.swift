internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry

/// Finds the column of object ids in a file that does not name it, or a free name for one.
enum ObjectIDColumn {
  /// The names that object ids have, in small letters, the likeliest first;
  /// the last is what ``name(besides:)`` gives.
  static let names = ["objectid", "fid", "oid", "ogc_fid", "fid_"]

  /// The greatest object id that every format can hold.
  static let greatestID = Int64(Int32.max)

  /// The field whose values can be object ids: it has one of their names, and another value in each row.
  ///
  /// - Parameters:
  ///   - fields: The fields, of whatever type.
  ///   - values: Gives the values of a field, of all rows.
  /// - Returns: The index of the field; `nil` if there is none.
  static func index<Values: Sequence>(
    among fields: [Field], values: (Int) -> Values
  ) -> Int? where Values.Element == AttributeValue {
    for name in names {
      guard let index = fields.firstIndex(where: { $0.name.lowercased() == name }) else { continue }
      var known = ObjectIDSet()
      let areIDs = values(index).allSatisfy { value in
        guard case .integer(let id) = value else { return false }
        return known.insert(id)
      }
      if areIDs { return index }
    }
    return nil
  }

  /// Makes a field the one with the object ids, or puts one of their own before the others.
  ///
  /// - Parameters:
  ///   - key: The field that ``index(among:values:)`` found.
  ///   - fields: The fields.
  ///   - file: The file, for people.
  /// - Returns: The name of the field, and what people should know of it.
  static func mark(
    _ key: Int?, among fields: inout [Field], of file: String
  ) -> (name: String, note: String?) {
    let names = fields.map(\.name)
    let name = key.map { names[$0] } ?? self.name(besides: names)
    if let key {
      fields[key].type = .objectID
    } else {
      fields.insert(Field(name, .objectID), at: 0)
    }
    return (name, note(on: name, among: names, of: file))
  }

  /// The row of a file, the `number`th, whose object id is in the `key`th of its values, or its number.
  static func feature(
    _ values: [AttributeValue], _ fields: FieldList, key: Int?, number: Int, _ shape: Geometry?
  ) -> Feature {
    guard let key, case .integer(let id) = values[key] else {
      let id = Int64(number)
      let attributes = Attributes(fields, [.integer(id)] + values)
      return Feature(objectID: id, attributes: attributes, geometry: shape)
    }
    return Feature(objectID: id, attributes: Attributes(fields, values), geometry: shape)
  }

  /// The name for object ids in a column of their own.
  static func name(besides names: [String]) -> String {
    var taken = Set(names.map { $0.lowercased() })
    return TableNames.unused(taken.contains("objectid") ? "FID_" : "OBJECTID", among: &taken)
  }

  /// Which field the object ids got, where there is another whose name says that it has them; `nil` where there is
  /// none.
  ///
  /// - Parameters:
  ///   - field: The field with the object ids.
  ///   - names: The names of all fields.
  ///   - table: The table, for people.
  /// - Returns: A sentence.
  static func note(on field: String, among names: [String], of table: String) -> String? {
    guard !names.contains(field), let other = likeliest(among: names) else { return nil }
    return "\"\(other)\" of \"\(table)\" cannot be the object id, since its values are not "
      + "different whole numbers from 1 to \(greatestID); the object ids are in \"\(field)\"."
  }

  /// The name that says most clearly that it is the one of object ids; `nil` where none does.
  static func likeliest(among names: [String]) -> String? {
    names.first { $0.lowercased() == Self.names.first }
  }
}

/// Object ids that every format can hold, as far as they were seen.
struct ObjectIDSet {
  /// How many words are held at most, each with the neighbours of an id: far more take too much memory.
  private static let mostWords = 1 << 21

  /// Which ids were seen of each 64.
  private var words: [Int32: UInt64] = [:]

  /// Takes an id into account; `false` if it was seen already, is none that every format can hold, or if there are too
  /// many to tell.
  mutating func insert(_ id: Int64) -> Bool {
    guard id > 0, id <= ObjectIDColumn.greatestID, words.count < Self.mostWords else {
      return false
    }
    let bit = UInt64(1) << UInt64(id & 63)
    return Self.update(&words[Int32(id >> 6), default: 0], with: bit)
  }

  private static func update(_ word: inout UInt64, with bit: UInt64) -> Bool {
    defer { word |= bit }
    return word & bit == 0
  }
}
