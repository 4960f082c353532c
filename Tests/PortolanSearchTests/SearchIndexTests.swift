import Foundation
import Testing

@testable import PortolanSearch

@Suite struct SearchIndexTests {
  private static let streets = [
    "12 Oakwood St", "14 Oakwood Street, Mapleham", "120 Oakwood Ave", "Oakwood",
    "12 Birch Rd", "Birchwood Lane", "3 North Main St", "30 N Main St", "St James Church",
    "Saint James Park", "Café Müller", "Piscataquis Bridge", "2nd Avenue", "Forest Ave",
  ]

  @Test(arguments: [
    ("12 oak", "12 Oakwood St"), ("oakwood 12", "12 Oakwood St"),
    ("12 oakwood str", "12 Oakwood St"),
    ("oakwood", "Oakwood"), ("avenue oakwood 120", "120 Oakwood Ave"),
    ("14 oakwood st", "14 Oakwood Street, Mapleham"), ("30 north main", "30 N Main St"),
    ("3 n main street", "3 North Main St"), ("saint james church", "St James Church"),
    ("cafe muller", "Café Müller"), ("CAFÉ MÜ", "Café Müller"), ("second ave", "2nd Avenue"),
    ("birch", "12 Birch Rd"), ("birchw", "Birchwood Lane"),
  ])
  func `The right label is first`(_ text: String, _ expected: String) throws {
    #expect(try LabelIndex(Self.streets).found(text).first == expected)
  }

  @Test(arguments: [
    "piscatquis bridge", "pisctaaquis bridge", "piscataqquis", "pizcataquis bridge", "pscataquis",
    "oiscataquis", "piscataquis brigde", "iscataquis", "ipscataquis",
  ])
  func `One typing mistake is forgiven, also in the first letter`(_ text: String) throws {
    #expect(try LabelIndex(Self.streets).found(text).first == "Piscataquis Bridge")
  }

  @Test(arguments: [
    ("Mian Stret 12", "12 Main Street"), ("pennslvania avnue", "Pennsylvania Avenue"),
    ("14 min strete", "14 Main Street"), ("nrth penn", "North Penn Road"),
    ("nrth pnn rod", "North Penn Road"), ("form stret", "From Street"),
    ("улца ленна", "улица Ленина"),
  ])
  func `Each word may have a typing mistake`(_ text: String, _ expected: String) throws {
    let index = try LabelIndex([
      "12 Main Street", "14 Main Street", "Pennsylvania Avenue", "North Penn Road", "From Street",
      "Form Alley", "улица Ленина", "проспект Ленина",
    ])
    #expect(index.found(text) == [expected])
  }

  @Test(arguments: [
    "mmian street", "16 mian stret", "ab stret", "mian strxyt", "min strt of nothing",
  ])
  func `A number, a short word and a word with two mistakes are not guessed`(
    _ text: String
  ) throws {
    let index = try LabelIndex(["12 Main Street", "AC Street", "1999 Elm Road"])
    #expect(index.found(text) == [])
  }

  @Test(arguments: [
    ("12 mainstreet", "12 Main Street"), ("jeanpierre rampal", "Jean-Pierre Rampal Avenue"),
    ("rampalave", "Jean-Pierre Rampal Avenue"), ("mainstr", "12 Main Street"),
    ("elmst", "Elm Street"), ("12 mainst", "12 Main Street"), ("wifi", "Wi-Fi Point"),
    ("mainoak", nil), ("12mainstreet", nil), ("120450", nil),
  ])
  func `A blank may be missing between two words`(_ text: String, _ expected: String?) throws {
    let index = try LabelIndex([
      "12 Main Street", "Jean-Pierre Rampal Avenue", "Oak Avenue", "120 Route 450", "Elm Street",
      "Wi-Fi Point",
    ])
    #expect(index.found(text) == [expected].compactMap(\.self))
  }

  @Test(arguments: [
    ("120 oakwood avneue", "120 Oakwood Ave"), ("12 birch raod", "12 Birch Rd"),
    ("3 noth main st", "3 North Main St"), ("30 norht main st", "30 N Main St"),
  ])
  func `A word is mistyped that the label abbreviates`(
    _ text: String, _ expected: String
  ) throws {
    #expect(try LabelIndex(Self.streets).found(text).first == expected)
  }

  @Test(arguments: ["pixcatequis", "brdge of nothing", "zzz", "99 oakwood", "12 maple"])
  func `Text that no label contains is not found`(_ text: String) throws {
    #expect(try LabelIndex(Self.streets).found(text) == [])
  }

  @Test(arguments: [
    ("улица ленина", "ул. Ленина, 5"), ("ленина ул", "ул. Ленина, 5"),
    ("пр мира 12", "проспект Мира, 12"), ("просп. мира", "проспект Мира, 12"),
    ("набережная реки", "наб. реки Фонтанки"), ("переулок банный", "Банный пер."),
    ("вул Шевченка", "вулиця Шевченка"),
  ])
  func `Streets are found as they are abbreviated in Cyrillic`(
    _ text: String, _ expected: String
  ) throws {
    let index = try LabelIndex([
      "ул. Ленина, 5", "проспект Мира, 12", "наб. реки Фонтанки", "Банный пер.", "вулиця Шевченка",
      "Ленинск", "Мирный",
    ])
    #expect(index.found(text) == [expected])
  }

  @Test(arguments: [
    ("c/ mayor 5", "Calle Mayor, 5"), ("calle luna", "C. Luna"), ("r. augusta", "Rua Augusta"),
    ("vle mazzini", "Viale Mazzini"), ("corso italia", "Cso Italia"),
    ("imp moulin", "Impasse du Moulin"),
    ("all tilleuls", "Allée des Tilleuls"), ("ul dluga", "ulica Długa"), ("al roz", "aleja Róż"),
    ("nam. miru", "náměstí Míru"), ("prinsenstr 3", "Prinsenstraat 3"), ("storgata 5", "Storgt. 5"),
  ])
  func `Streets are found as they are abbreviated in other languages`(
    _ text: String, _ expected: String
  ) throws {
    let index = try LabelIndex([
      "Calle Mayor, 5", "C. Luna", "Rua Augusta", "Viale Mazzini", "Cso Italia",
      "Impasse du Moulin",
      "Allée des Tilleuls", "ulica Długa", "aleja Róż", "náměstí Míru", "Prinsenstraat 3",
      "Storgt. 5",
    ])
    #expect(index.found(text) == [expected])
  }

  @Test(arguments: [
    ("λεωφ συγγρού", 0), ("רח' הרצל", 1), ("istiklal cad", 2), ("أقصى", 3), ("مسجد الأقصى", 3),
    ("ملك فهد", 4), ("مل", nil), ("ملك", 4), ("ش الملك فهد", 4), ("haupstrasse 5", 5),
    ("interstate 95", 6),
  ])
  func `Kinds of streets and articles are left out and shortened as each language does`(
    _ text: String, _ place: Int?
  ) throws {
    let labels = [
      "Λεωφόρος Συγγρού", "רחוב הרצל", "İstiklal Caddesi", "المسجد الأقصى", "شارع الملك فهد",
      "Hauptstr. 5", "I-95",
    ]
    #expect(try LabelIndex(labels).found(text) == [place.map { labels[$0] }].compactMap(\.self))
  }

  @Test(arguments: [
    ("서울 강남구", "서울특별시 강남구"), ("강남 서울", "서울특별시 강남구"),
    ("서울특별시 강남", "서울특별시 강남구"), ("부산 해운대구 5", "부산광역시 해운대구 5"),
    ("서울 해운대", nil), ("map oakwood", nil),
  ])
  func `Where a script has no case any word may be the beginning of one`(
    _ text: String, _ expected: String?
  ) throws {
    let index = try LabelIndex(["서울특별시 강남구", "부산광역시 해운대구 5", "Oakwood, Mapleham"])
    #expect(index.found(text) == [expected].compactMap(\.self))
  }

  @Test(arguments: [
    ("北京市朝阳区建国门外大街", 9), ("東京都千代田区丸の内一丁目", 9), ("ถนนสุขุมวิทกรุงเทพมหานคร ", 71),
  ])
  func `The number behind a long name that is written without spaces counts`(
    _ street: String, _ number: Int
  ) throws {
    let index = try LabelIndex((1...99).map { "\(street)\($0)号" })
    #expect(index.found("\(street)\(number)号") == ["\(street)\(number)号"])
  }

  @Test func `A letter is not taken for a mistyped number`() throws {
    #expect(try LabelIndex(["M-01200", "12 Oak"]).found("h12") == [])
  }

  @Test(.timeLimit(.minutes(5)))
  func `A label of a hundred thousand words takes no longer than so many labels`() throws {
    let text = (0..<100_000).map { "word\($0)" }.joined(separator: " ")
    let index = try LabelIndex([text, "Oakwood"])
    #expect(index.found("word99999").count == 1)
    #expect(index.found("oakwood") == ["Oakwood"])
  }

  @Test(arguments: [
    ("eglise", "Rue de l'Église"), ("l'eglise", "Rue de l'Église"), ("or", "Côte d’Or"),
    ("arte", "Via dell'Arte"), ("ohare", "O'Hare"), ("kaneohe", "Kāneʻohe"),
    ("kane`ohe", "Kāneʻohe"), ("aiea", "ʻAiea"), ("johns", "St John's Road"),
  ])
  func `Elided words and okinas are no part of a name`(
    _ text: String, _ expected: String
  ) throws {
    let index = try LabelIndex([
      "Rue de l'Église", "Côte d’Or", "Via dell'Arte", "O'Hare", "Kāneʻohe", "ʻAiea",
      "St John's Road",
    ])
    #expect(index.found(text).first == expected)
  }

  @Test func `Labels in scripts without spaces are found by their characters`() throws {
    let index = try LabelIndex(["東京駅", "京都駅", "ул. Ленина", "서울역", "สถานี"])
    #expect(index.found("京都") == ["京都駅"])
    #expect(index.found("東京") == ["東京駅"])
    #expect(index.found("京") == ["京都駅", "東京駅"] || index.found("京").count == 2)
    #expect(index.found("ленин") == ["ул. Ленина"])
    #expect(index.found("서우") == ["서울역"])
    #expect(index.found("สถา") == ["สถานี"])
  }

  @Test(arguments: ["ｶﾞｿﾘﾝ", "ガソリン", "がそりん", "ｶﾞｿ"])
  func `Katakana of half the width have their voicing marks with them`(_ text: String) throws {
    for label in ["ガソリンスタンド", "ｶﾞｿﾘﾝｽﾀﾝﾄﾞ"] {
      #expect(try LabelIndex([label, "カソリック"]).found(text) == [label])
    }
  }

  @Test(arguments: ["ولی\u{200C}عصر", "ولیعصر", "ولی عصر", "ولي عصر", "خیابان ولیعصر"])
  func `Letters that are kept from joining are found however they are typed`(
    _ text: String
  ) throws {
    let index = try LabelIndex(["خیابان ولی\u{200C}عصر", "خیابان آزادی"])
    let readings = [SearchText(text)] + SearchText(text).respaced
    let found = readings.flatMap { reading in
      index.index.matches(of: reading, limit: 2, forgivingMistakes: false) ?? []
    }
    #expect(Set(found.map { index.index.label(of: $0.document) }) == ["خیابان ولی\u{200C}عصر"])
  }

  @Test func `Words in the order of the label come before others`() throws {
    let index = try LabelIndex(["Street Park", "Park Street"])
    #expect(index.found("park street") == ["Park Street", "Street Park"])
    #expect(index.found("street park") == ["Street Park", "Park Street"])
  }

  @Test func `Numbers are listed by their value`() throws {
    let index = try LabelIndex(["10 Elm", "9 Elm", "100 Elm", "1 Elm"])
    #expect(index.found("elm") == ["1 Elm", "9 Elm", "10 Elm", "100 Elm"])
  }

  @Test(arguments: [
    String(repeating: "a", count: 10_000), String(repeating: "* ", count: 5_000), "*", "%_%", "\0",
    "\u{1}\u{2}\u{1B}[31m", "\"'; DROP TABLE a; --", "NEAR(a b)", "-oak", "oak OR elm",
    String(repeating: "\u{0301}", count: 1000), "\u{202E}kao", "💥", "AND AND AND",
    Array(repeating: "oakwood", count: 500).joined(separator: " "),
  ])
  func `Any typed text does no harm`(_ text: String) throws {
    let found = try LabelIndex(Self.streets).found(text)
    #expect(found.count <= Self.streets.count)
  }

  @Test func `A label without a word is left out, and an index may be empty`() throws {
    let index = try LabelIndex(["...", "", "Elm"])
    #expect(index.index.documentCount == 1)
    #expect(try LabelIndex([]).found("a") == [])
  }

  @Test func `Labels, sources and object ids come back as they were given`() throws {
    var builder = SearchIndexBuilder()
    builder.add("  Łódź — (Główna)  ", source: 3, objectID: -7)
    builder.add("12 Main St", source: 65_535, objectID: .max)
    let bytes = try #require(builder.finished(origin: [1, 2, 3]))
    let index = try SearchIndex(IndexBytes(bytes), name: "test")
    let all = (0..<2).map { "\(index.label(of: $0)) \(index.origin(of: $0))" }.sorted()
    #expect(
      all == [
        "  Łódź — (Główna)   DocumentOrigin(source: 3, objectID: -7)",
        "12 Main St DocumentOrigin(source: 65535, objectID: 9223372036854775807)",
      ])
    #expect(index.origin == [1, 2, 3])
  }

  @Test func `A search that is cancelled ends`() throws {
    let index = try LabelIndex((0..<5000).map { "\($0) Main Elm" }).index
    let text = SearchText("elm main")
    #expect(index.matches(of: text, limit: 12) { true } == nil)
  }
}
