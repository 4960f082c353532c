internal import PortolanFeatures
internal import PortolanJSON

/// The common type of the values of a property.
struct FieldSurvey {
  /// The kinds of value that were seen.
  private struct Kinds: OptionSet {
    let rawValue: UInt16

    static let bool = Kinds(rawValue: 1)
    /// A whole number of 32 bits.
    static let integer = Kinds(rawValue: 2)
    static let bigInteger = Kinds(rawValue: 4)
    static let number = Kinds(rawValue: 8)
    /// A moment in ISO 8601.
    static let moment = Kinds(rawValue: 16)
    /// A day in ISO 8601.
    static let day = Kinds(rawValue: 32)
    /// A GUID with braces.
    static let guid = Kinds(rawValue: 64)
    static let text = Kinds(rawValue: 128)
    /// An array or an object.
    static let nested = Kinds(rawValue: 256)
    /// A whole number that a number with a point cannot be.
    static let longInteger = Kinds(rawValue: 512)
    /// A moment that names no zone.
    static let zonelessMoment = Kinds(rawValue: 1024)
    /// A moment with other digits than zeros behind the millisecond.
    static let fineMoment = Kinds(rawValue: 2048)
    /// What is said of moments beside that they are some.
    static let momentDetails: Kinds = [.zonelessMoment, .fineMoment]
    /// All whole numbers.
    static let whole: Kinds = [.integer, .bigInteger, .longInteger]
  }

  private var kinds: Kinds = []
  /// How many rows have a value.
  private(set) var count = 0
  /// Whether each value so far is a whole number above the one before, from 1 up.
  private(set) var isIncreasing = true
  /// Whether each value so far is the id of its feature.
  private(set) var isFeatureID = true
  /// Whether each value so far is a whole number from 1 up that no other row has, as far as that is looked at.
  private(set) var isUnique: Bool
  private var last: Int64 = 0
  private var known = ObjectIDSet()

  /// - Parameter findsRepetitions: Whether to look whether values can be object ids though they do not ascend.
  init(findsRepetitions: Bool = false) { isUnique = findsRepetitions }

  /// Takes a value into account.
  mutating func add(_ value: JSONValue, featureID: JSONValue?) {
    guard !value.isNull else { return }
    count += 1
    kinds.insert(Self.kind(of: value, asFarAs: kinds))
    isFeatureID = isFeatureID && featureID == value
    guard case .integer(let number) = value else {
      (isIncreasing, isUnique) = (false, false)
      return
    }
    isIncreasing = isIncreasing && number > last && number <= ObjectIDColumn.greatestID
    last = number
    isUnique = isUnique && known.insert(number)
  }

  /// The type of field that holds all values.
  var type: FieldType {
    switch kinds.subtracting(.momentDetails) {
    case []: .string
    case .bool: .smallInteger
    case .integer: .integer
    case let whole where whole.isSubset(of: .whole): .bigInteger
    case .moment, [.moment, .day]: .date
    case .day: .dateOnly
    case .guid: .guid
    default: kinds.isSubset(of: [.integer, .bigInteger, .number]) ? .double : .string
    }
  }

  /// Whether all values are `true` or `false`, which become 1 and 0.
  var isBoolean: Bool { kinds == .bool }

  /// What people should know of moments, sentences about a field; none where values are no moments.
  func momentNotes(on field: String, of table: String) -> [String] {
    guard type == .date else { return [] }
    let place = "in \"\(field)\" of \"\(table)\""
    return
      (kinds.contains(.zonelessMoment) ? ["Times \(place) that name no zone are read as UTC."] : [])
      + (kinds.contains(.fineMoment)
        ? ["Times \(place) are to the millisecond; digits behind it are left out."] : [])
  }

  /// Whether some values are arrays or objects, which become their text.
  var isNested: Bool { kinds.contains(.nested) }

  private static func kind(of value: JSONValue, asFarAs known: Kinds) -> Kinds {
    switch value {
    case .null: []
    case .bool: .bool
    case .integer(let number) where Int32(exactly: number) != nil: .integer
    case .integer(let number): Double(exactly: number) == nil ? .longInteger : .bigInteger
    case .number: .number
    // Once there is other text it does not matter what this one looks like.
    case .string(let text): known.contains(.text) ? .text : kind(of: text)
    case .array, .object: .nested
    }
  }

  private static func kind(of text: String) -> Kinds {
    let bytes = text.utf8
    switch bytes.count {
    case 10 where CivilDate(parsing: text) != nil: return .day
    case 16...35 where bytes[bytes.index(bytes.startIndex, offsetBy: 4)] == UInt8(ascii: "-"):
      return CivilDate(parsing: text) == nil ? .text : details(ofMoment: bytes).union(.moment)
    case 38 where GUIDText.isBraced(text): return .guid
    default: return .text
    }
  }

  /// What is to be said of a moment in ISO 8601.
  private static func details(ofMoment text: String.UTF8View) -> Kinds {
    var details: Kinds = []
    let time = text.dropFirst(11)
    if !time.contains(where: { "Zz+-".utf8.contains($0) }) { details.insert(.zonelessMoment) }
    let fraction = time.drop { $0 != UInt8(ascii: ".") }.dropFirst()
      .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if fraction.dropFirst(3).contains(where: { $0 != UInt8(ascii: "0") }) {
      details.insert(.fineMoment)
    }
    return details
  }
}
