import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import Testing

/// The text of popups in two locales beside each other, whatever the locale of the process is.
@Suite struct PopupLocaleTests {
  private static let german = PopupFormatting(locale: Locale(identifier: "de_DE"))
  private static let american = PopupFormatting(locale: Locale(identifier: "en_US"))
  private static let documents = PopupFormatting()

  private func texts(
    of value: AttributeValue, _ format: PopupFieldFormat, _ type: FieldType = .date
  ) -> [String] {
    [Self.documents, Self.american, Self.german].map { formatting in
      formatting.text(of: value, field: Field("F", type), domain: nil, format: format)
        // Between a time and its half of the day stands a space that does not break.
        .replacing("\u{202F}", with: " ")
    }
  }

  @Test(arguments: [
    ("shortDate", "12/21/1997", "12/21/1997", "21.12.1997"),
    ("shortDateLE", "21/12/1997", "12/21/1997", "21.12.1997"),
    ("longMonthDayYear", "December 21, 1997", "December 21, 1997", "21. Dezember 1997"),
    ("dayShortMonthYear", "21 Dec 1997", "Dec 21, 1997", "21. Dez. 1997"),
    (
      "longDate", "Sunday, December 21, 1997", "Sunday, December 21, 1997",
      "Sonntag, 21. Dezember 1997"
    ),
    ("longMonthYear", "December 1997", "December 1997", "Dezember 1997"),
    ("shortMonthYear", "Dec 1997", "Dec 1997", "Dez. 1997"), ("year", "1997", "1997", "1997"),
    ("shortDateShortTime", "12/21/1997 6:00 PM", "12/21/1997 6:00 PM", "21.12.1997 18:00"),
    (
      "shortDateLongTime", "12/21/1997 6:00:05 PM", "12/21/1997 6:00:05 PM",
      "21.12.1997 18:00:05"
    ),
    ("shortDateShortTime24", "12/21/1997 18:00", "12/21/1997 18:00", "21.12.1997 18:00"),
  ])
  func `A date has the words and the order of its locale`(
    _ name: String, _ documents: String, _ american: String, _ german: String
  ) throws {
    let dateFormat = try #require(PopupDateFormat(name: name))
    let format = PopupFieldFormat(dateFormat: dateFormat)
    let date = AttributeValue.date(Date(timeIntervalSince1970: 882_727_205))
    #expect(texts(of: date, format) == [documents, american, german])
  }

  @Test func `A day without a time has the order of its locale as well`() {
    #expect(
      texts(of: .text("1997-12-21"), PopupFieldFormat(), .dateOnly)
        == ["12/21/1997", "12/21/1997", "21.12.1997"])
  }

  @Test(
    arguments: [
      (.double(1234.567), PopupFieldFormat(), "1234.567", "1234.567", "1234,567"),
      (
        .double(1234.565), PopupFieldFormat(places: 2, usesDigitSeparator: true), "1,234.57",
        "1,234.57", "1.234,57"
      ),
      (.double(-0.001), PopupFieldFormat(places: 2), "0.00", "0.00", "0,00"),
      (
        .integer(-9_007_199_254_740_993), PopupFieldFormat(usesDigitSeparator: true),
        "-9,007,199,254,740,993", "-9,007,199,254,740,993", "-9.007.199.254.740.993"
      ),
      (.integer(12), PopupFieldFormat(), "12", "12", "12"),
      (.double(.infinity), PopupFieldFormat(places: 1), "∞", "∞", "∞"),
      (.double(.nan), PopupFieldFormat(), "", "", ""), (.null, PopupFieldFormat(), "", "", ""),
    ] as [(AttributeValue, PopupFieldFormat, String, String, String)])
  func `A number has the separators of its locale and the same digits in each`(
    _ value: AttributeValue, _ format: PopupFieldFormat, _ documents: String, _ american: String,
    _ german: String
  ) {
    #expect(texts(of: value, format, .double) == [documents, american, german])
  }

  @Test func `A number of more digits than a decimal holds is written as documents write it`() {
    let texts = texts(of: .double(1e300), PopupFieldFormat(places: 1), .double)
    #expect(Set(texts).count == 1 && texts.first?.count == 303)
  }

  @Test func `Grouping and digits are the locale's own`() {
    let format = PopupFieldFormat(usesDigitSeparator: true)
    for (locale, text) in [("en_IN", "12,34,567"), ("de_CH", "1’234’567"), ("pt_PT", "1 234 567")] {
      let formatting = PopupFormatting(locale: Locale(identifier: locale))
      let written = formatting.text(
        of: .integer(1_234_567), field: nil, domain: nil, format: format)
      #expect(written.replacing("\u{A0}", with: " ") == text)
    }
  }

  @Test func `An address means the same in every locale`() {
    let schema = FeatureTableSchema(
      name: "t", fields: [Field("OBJECTID", .objectID), Field("D", .date), Field("X", .double)])
    let feature = Feature(
      objectID: 1,
      attributes: Attributes(
        FieldList(schema.fields),
        [.integer(1), .date(.init(timeIntervalSince1970: 0)), .double(1.5)]
      ))
    let definition = PopupDefinition(json: [
      "mediaInfos": [
        ["type": "image", "value": ["sourceURL": "https://a.example/{X}/{D}.png"]]
      ]
    ])
    let addresses = [Self.documents, Self.german].map { formatting in
      formatting.popup(of: feature, in: schema, as: definition).elements
    }
    #expect(addresses[0] == addresses[1] && !addresses[0].isEmpty)
  }
}
