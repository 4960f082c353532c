import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanApp

/// The permissions to edit, and the values made of typed text.
@Suite struct EditingRulesTests {
  private static let place = EditPlace(table: "Huts")

  // MARK: - What is typed

  private func value(
    _ text: String, of type: FieldType, in codes: [CodedValue]? = nil
  ) throws -> AttributeValue {
    let domain = codes.map { Domain.codedValue(CodedValueDomain(name: "d", codedValues: $0)) }
    return try FieldInput(field: Field("F", type), domain: domain).value(of: text, at: Self.place)
  }

  private static let typed: [(String, FieldType, AttributeValue)] = [
    ("", .integer, .null), ("", .string, .null), ("7", .integer, .integer(7)),
    ("-7", .smallInteger, .integer(-7)), ("7", .bigInteger, .integer(7)),
    ("7", .double, .double(7)), ("-2.5e3", .single, .double(-2500)), ("7", .string, .text("7")),
    ("{A}", .guid, .text("{A}")),
    ("1970-01-02", .date, .date(Date(timeIntervalSince1970: 86_400))),
  ]

  @Test(arguments: typed)
  func `Typed text becomes a value of the type of its field, and empty text none`(
    _ text: String, _ type: FieldType, _ expected: AttributeValue
  ) throws {
    #expect(try value(text, of: type) == expected)
  }

  @Test(
    arguments: [
      ("7.5", .integer), ("seven", .smallInteger), ("9223372036854775808", .bigInteger),
      ("inf", .double), ("nan", .single), ("yesterday", .date), ("x", .blob), ("x", .geometry),
    ] as [(String, FieldType)])
  func `What cannot be a value of a field is refused with what was typed`(
    _ text: String, _ type: FieldType
  ) {
    let error = FeatureEditError.wrongType(
      field: "F", expected: type, found: .text(text), Self.place)
    #expect(throws: error) { try value(text, of: type) }
  }

  @Test func `A code is taken before a name, and a name whatever its case`() throws {
    let texts = [CodedValue(code: .text("B"), name: "A"), CodedValue(code: .text("A"), name: "B")]
    #expect(try value("A", of: .string, in: texts) == .text("A"))
    #expect(try value("a", of: .string, in: texts) == .text("B"))
    let numbers = [
      CodedValue(code: .integer(2), name: "Ash"), CodedValue(code: .double(2.5), name: "Oak"),
    ]
    #expect(try value("2", of: .integer, in: numbers) == .integer(2))
    #expect(try value("2.50", of: .double, in: numbers) == .double(2.5))
    #expect(try value("OAK", of: .double, in: numbers) == .double(2.5))
    // A value that is on no list is for the validator to refuse.
    #expect(try value("3", of: .integer, in: numbers) == .integer(3))
  }

  private static let ambiguous: [(String, [String])] = [
    ("1", ["1 (2)", "2 (1)"]), ("Ash", ["3 (Ash)", "4 (Ash)"]), ("ash", ["3 (Ash)", "4 (Ash)"]),
    ("3", []), ("Oak", []), ("1 (2)", []), ("", []), ("9", []),
  ]

  @Test(arguments: ambiguous)
  func
    `A text that may be several values of a list is none of them, unless it was chosen by its code`(
      _ text: String, _ meanings: [String]
    ) throws
  {
    let codes = ["2", "1", "Ash", "Ash", "Oak"].enumerated().map {
      CodedValue(code: .integer(Int64($0 + 1)), name: $1)
    }
    let domain = Domain.codedValue(CodedValueDomain(name: "d", codedValues: codes))
    let field = Field("F", .integer)
    let problem = FieldInput(field: field, domain: domain).ambiguity(of: text)
    #expect((problem == nil) == meanings.isEmpty)
    for meaning in meanings {
      #expect(problem?.suggestion?.contains("\"\(meaning)\"") == true)
      let input = FieldInput(field: field, domain: domain)
      #expect(input.ambiguity(of: meaning) == nil)
      #expect(
        try input.value(of: meaning, at: Self.place)
          == codes.first { input.text(for: $0) == meaning }?.code)
    }
    #expect(FieldInput(field: field, domain: domain, isCode: true).ambiguity(of: text) == nil)
  }

  @Test func `A name that a list of numbers does not have is no wrong type`() {
    let codes = [CodedValue(code: .integer(1), name: "Open")]
    let domain = Domain.codedValue(CodedValueDomain(name: "Access", codedValues: codes))
    let refusal = FeatureEditError.valueNotInDomain(
      field: "F", value: .text("Nowhere"), domain: domain, Self.place)
    #expect(throws: refusal) {
      let input = FieldInput(field: Field("F", .integer), domain: domain)
      return try input.value(of: "Nowhere", at: Self.place)
    }
  }

  // MARK: - What the author allows

  private static let add = FeatureEdit.add(
    NewFeature(attributes: [:], geometry: nil), table: "Huts")
  private static let update = FeatureEdit.update(
    .objectID(1), table: "Huts", attributes: [:], geometry: .keep)
  private static let delete = FeatureEdit.delete(.objectID(1), table: "Huts")
  private static let file = NewAttachment(name: "a", contentType: "text/plain", data: Data())

  @Test(
    arguments: [
      (nil, [true, true, true]), ("Query", [false, false, false]),
      ("Editing", [true, true, true]), ("Query,Editing,Create", [true, false, false]),
      ("create, UPDATE", [true, true, false]), ("Delete", [false, false, true]),
    ] as [(String?, [Bool])])
  func `The rights of a layer are those that its author names, or the whole`(
    _ words: String?, _ allowed: [Bool]
  ) {
    var json: JSONObject = ["id": "a", "layerType": "ArcGISFeatureLayer"]
    json["capabilities"] = words.map { .string($0) }
    let rights = AuthoredRights(Layer(json: json))
    #expect([Self.add, Self.update, Self.delete].map { rights.allows($0) } == allowed)
    #expect(rights.isReadOnly == !allowed.contains(true))
    // Files are attached, replaced and removed by whoever may change their feature.
    let files: [FeatureEdit] = [
      .addAttachment(Self.file, to: .objectID(1), table: "Huts"),
      .updateAttachment(1, Self.file, table: "Huts"), .deleteAttachment(1, table: "Huts"),
    ]
    for edit in files { #expect(rights.allows(edit) == allowed[1]) }
    // A layer in a file is ruled by the file.
    json["path"] = "file:./a.geodatabase?itemId=1"
    #expect(AuthoredRights(Layer(json: json)) == AuthoredRights(Layer(json: [:])))
  }

  // MARK: - What was seen

  @Test func `A feature is as it was seen as long as its number, shape and values are the same`() {
    let fields = FieldList([Field("NAME", .string), Field("AGE", .integer)])
    func feature(
      _ id: Int64, _ values: [AttributeValue], at x: Double? = 1
    ) -> SeenFeature {
      SeenFeature(
        Feature(
          objectID: id, attributes: Attributes(fields, values),
          geometry: x.map { .point(Point(x: $0, y: 0)) }))
    }
    let seen = feature(1, [.text("a"), .null])
    #expect(seen == feature(1, [.text("a"), .null]))
    #expect(seen == SeenFeature(number: seen.number))
    let others = [
      feature(2, [.text("a"), .null]), feature(1, [.text("b"), .null]),
      feature(1, [.text("a"), .integer(0)]), feature(1, [.text("a"), .null], at: 2),
      feature(1, [.text("a"), .null], at: nil),
    ]
    #expect(!others.contains(seen))
    // A field that came since, without a value, changes nothing.
    let wider = FieldList([Field("NAME", .string), Field("NEW", .string)])
    let same = Feature(
      objectID: 1, attributes: Attributes(wider, [.text("a"), .null]),
      geometry: .point(Point(x: 1, y: 0)))
    #expect(SeenFeature(same) == seen)
  }
}
