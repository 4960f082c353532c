import Foundation
import PortolanFeatures
import PortolanMap
import Testing

/// The functions of Arcade, by the examples of its documentation and their edge cases.
@Suite struct ArcadeFunctionTests {
  static let attributes = Attributes.of([
    "NAME": .text("Katahdin"), "NOTE": .null, "EMPTY": .text(""), "CODE": .integer(2),
    "DAY": .date(Date(timeIntervalSince1970: 1_476_987_783.555)),
  ])
  static let noon = Date(timeIntervalSince1970: 1_700_000_000)

  private func value(_ text: String, zone: String = "GMT") throws -> ArcadeExpression.Result {
    let zone = try #require(TimeZone(identifier: zone))
    let context = ArcadeContext(timeZone: zone, now: { Self.noon })
    return ArcadeExpression(text).evaluate(Self.attributes, in: context)
  }

  @Test(arguments: [
    ("Upper('Hello äb')", "HELLO ÄB"), ("Lower('HELLO')", "hello"), ("Upper(null)", ""),
    ("Trim('   hello world ')", "hello world"), ("Concatenate('a', 1, null, true)", "a1true"),
    ("Concatenate(['red', 'blue', 'green'], '/')", "red/blue/green"),
    ("Concatenate([1, 2.5], '; ', '0.00')", "1.00; 2.50"), ("Left('the quick', 3)", "the"),
    ("Right('brown fox', 3)", "fox"), ("Left('ab', 9)", "ab"), ("Left(12345, 2)", "12"),
    ("Mid('the quick brown fox', 4, 5)", "quick"), ("Mid('abc', 1)", "bc"),
    ("Mid('abc', 9, 1)", ""), ("Proper('the quick BROWN fox')", "The Quick Brown Fox"),
    ("Proper('the quick', 'firstword')", "The quick"),
    ("Replace('the quick brown fox', 'brown', 'red')", "the quick red fox"),
    ("Replace('aaa', 'a', 'bb')", "bbbbbb"), ("Replace('aaa', 'a', 'b', false)", "baa"),
    ("Concatenate(Split('red,green,blue,orange', ',', 2), '|')", "red|green"),
    ("Concatenate(Split(' a  b', ' ', -1, true), '|')", "a|b"),
    ("Split('a,b', ',')[1]", "b"), ("Text(1606)", "1606"), ("Text(null)", ""),
    ("Text(true)", "true"), ("Text('x', '0.0')", "x"),
  ])
  func `Texts are cut, joined and changed`(_ text: String, _ expected: String) throws {
    #expect(try value(text) == .value(.text(expected)))
  }

  @Test(arguments: [
    ("Text(123, '0000')", "0123"), ("Text(123, '00')", "23"), ("Text(1234, '#,###')", "1,234"),
    ("Text(12345678.123, '#,###.00')", "12,345,678.12"), ("Text(999, '#,###')", "999"),
    ("Text(1234.55, '$#,###.00')", "$1,234.55"), ("Text(1.236, '#.00')", "1.24"),
    ("Text(1234.5678, '#,##0.00#')", "1,234.568"), ("Text(1234.5, '#,##0.00#')", "1,234.50"),
    ("Text(-2, 'Floor #;Basement #')", "Basement 2"), ("Text(2, 'Floor #;Basement #')", "Floor 2"),
    ("Text(0.3, '#%')", "30%"), ("Text(0.1234, '#0.0%')", "12.3%"), ("Text(0.07, '0%')", "7%"),
    ("Text(-1234.5, '#,##0.0')", "-1,234.5"), ("Text(0, '#,###')", "0"),
    ("Text(1.005, '0.00')", "1.01"), ("Text(5, '#.##')", "5"),
    ("Text(1000000, '#,###')", "1,000,000"),
    ("Text(12.3, '#0.0 m')", "12.3 m"), ("Text(12.3, '0.0')", "2.3"),
    ("Text(1212456, ',##,###')", "12,12,456"),
  ])
  func `Numbers are written by their pattern`(_ text: String, _ expected: String) throws {
    #expect(try value(text) == .value(.text(expected)))
  }

  @Test(arguments: [
    ("Number('12,345.5', '#,##0.0#')", 12345.5), ("Number('12345', '#,###')", 12345),
    ("Number('USD 7.25', 'USD 0.00')", 7.25), ("Number('12,34,567', ',##,###')", 1_234_567),
    ("Number('-8', '0')", -8), ("Number('(8 m)', '0 m;(0 m)')", -8), ("Number('29%', '#%')", 0.29),
    ("Number(5, '0.00')", 5), ("Number(null, '0')", 0), ("Number('7', '')", 7),
  ])
  func `Numbers are read by their pattern`(_ text: String, _ expected: Double) throws {
    #expect(try value(text) == .value(.double(expected)))
  }

  @Test(.timeLimit(.minutes(1)))
  func `A pattern of many commas is read in a time that grows with its length`() throws {
    let pattern = String(repeating: ",", count: 980) + "x,#,##0.0#,"
    let loop = "for (var i = 0; i < 2000; i++) { Number('x', '\(pattern)') }"
    #expect(try value("\(loop) Right(Text(1234.5, '\(pattern)'), 9)") == .value(.text("x1,234.5,")))
  }

  @Test(arguments: [
    "Number('7.5', '0.00')", "Number('7.555', '0.00')", "Number('7 m', '0')", "Number('x', '0')",
    "Number('7.5', '0')", "Number('5', '00')", "Number('', '0')", "Number('7.', '0.#')",
  ])
  func `A text that its pattern does not fit is no number`(_ text: String) throws {
    #expect(try value("IsNaN(\(text))") == .value(.text("true")))
  }

  @Test(arguments: [
    ("FromCharCode(72, 105)", AttributeValue.text("Hi")),
    ("FromCharCode(55358, 56785)", .text("🧑")),
    ("FromCodePoint(129489, 33)", .text("🧑!")), ("ToCharCode('Hi', 1)", .double(105)),
    ("ToCharCode('🧑')", .double(55358)), ("ToCodePoint('🧑!')", .double(129_489)),
    ("ToCodePoint('🧑!', 1)", .double(56785)), ("ToCodePoint('🧑!', 2)", .double(33)),
    ("UrlEncode('a b&c/é(1)')", .text("a%20b%26c%2F%C3%A9(1)")),
    ("UrlEncode({ q: 'x y', 'a?': 1.5 })", .text("a%3F=1.5&q=x%20y")),
    ("FromJSON('[1, {\"a\": [true, null]}]')[1].a[0]", .text("true")),
    ("FromJSON('\"x\"')", .text("x")),
    ("Dictionary('{\"id\": 1, \"at\": {\"x\": 2.5}}').at.x", .double(2.5)),
    ("IsEmpty(Dictionary('{\"a\": null}').a)", .text("true")),
  ])
  func `Texts are read as characters, addresses and JSON`(
    _ text: String, _ expected: AttributeValue
  ) throws {
    #expect(try value(text) == .value(expected))
  }

  @Test(arguments: [
    ("Round(2.346, 2)", 2.35), ("Round(1.005, 2)", 1.01), ("Round(2.5)", 3), ("Round(-2.5)", -2),
    ("Round(1234, -2)", 1200), ("Floor(2.7)", 2), ("Floor(-2.1)", -3), ("Floor(2.345, 2)", 2.34),
    ("Ceil(2.1)", 3), ("Ceil(2.341, 2)", 2.35), ("Abs(-3)", 3), ("Sqrt(16)", 4),
    ("Pow(2, 10)", 1024), ("Exp(0)", 1), ("Log(1)", 0), ("Sin(0)", 0), ("Cos(0)", 1),
    ("Round(Atan2(1, 1) * 4, 5)", 3.14159), ("Round(Tan(PI / 4), 9)", 1), ("Asin(0)", 0),
    ("Constrain(12, 0, 10)", 10), ("Constrain(-1, 0, 10)", 0), ("Number('1.5')", 1.5),
    ("Number('')", 0), ("Number(' ')", 0), ("Number(null)", 0),
    ("Number(true)", 1), ("Number($feature.DAY)", 1_476_987_783_555), ("Max(1, 5, 3)", 5),
    ("Min([4, 2, 8])", 2), ("Sum([1, 2, null])", 3), ("Mean(1, 2, 3)", 2), ("Average([2, 4])", 3),
    ("Max(null, 3)", 3), ("Find('380', 'Esri, 380 New York Street', 0)", 6),
    ("Find('x', 'abc')", -1), ("Find('b', 'abcb', 2)", 3), ("Find('', 'abc')", 0),
    ("Variance(1, 3)", 1), ("Stdev([2, 4, 4, 4, 5, 5, 7, 9])", 2),
    ("Count('four')", 4), ("Count([1, 2])", 2), ("Count({a: 1})", 1),
  ])
  func `Numbers are calculated`(_ text: String, _ expected: Double) throws {
    #expect(try value(text) == .value(.double(expected)))
  }

  @Test(arguments: [
    ("IIf(1 < 2, 'a', 'b')", AttributeValue.text("a")),
    ("IIf(false, $feature.MISSING, 'b')", .text("b")),
    ("When(1 > 2, 'a', 2 > 1, 'b', 'c')", .text("b")), ("When(false, 'a', 'c')", .text("c")),
    ("Decode($feature.CODE, 1, 'one', 2, 'two', 'other')", .text("two")),
    ("Decode('2', 1, 'one', 2, 'two', 'other')", .text("other")),
    ("DefaultValue($feature.NOTE, 'none')", .text("none")),
    ("DefaultValue($feature.EMPTY, 'none')", .text("none")), ("DefaultValue(0, 1)", .double(0)),
    ("DefaultValue({a: null}, 'a', 5)", .double(5)),
    ("DefaultValue($feature, 'NAME', 'x')", .text("Katahdin")),
    ("IsEmpty($feature.NOTE) && IsEmpty('') && !IsEmpty(0)", .text("true")),
    ("HasValue($feature, 'NAME') && !HasValue($feature, 'NOTE')", .text("true")),
    ("HasValue({a: {b: [1, 2]}}, ['a', 'b', 1]) && !HasValue({a: {}}, ['a', 'b'])", .text("true")),
    ("DefaultValue($feature, ['NOTE'], 'none')", .text("none")),
    ("HasKey({a: null}, 'A') && !HasKey($feature, 'b')", .text("true")),
    ("Boolean('true') && !Boolean('hello') && Boolean(1) && !Boolean(0)", .text("true")),
    ("TypeOf('x') + TypeOf(1) + TypeOf([]) + TypeOf({})", .text("StringNumberArrayDictionary")),
    ("TypeOf(Now()) + TypeOf(true)", .text("DateBoolean")), ("IsNaN(0 / 0)", .text("true")),
    ("Console('x'); 1", .double(1)), ("Dictionary('a', 1, 'b', 2).b", .double(2)),
    ("Max()", .null), ("Max([])", .null), ("Boolean(Number('x'))", .text("false")),
    ("Front([3, 4])", .double(3)), ("First([])", .null),
  ])
  func `Functions choose between values`(_ text: String, _ expected: AttributeValue) throws {
    #expect(try value(text) == .value(expected))
  }

  @Test(arguments: [
    ("var a = [1]; Push(a, 2);", "a", "1,2"), ("var a = [1, 2]; Pop(a);", "a", "1"),
    ("var a = [1, 3]; Insert(a, 1, 2);", "a", "1,2,3"),
    ("var a = [1, 2, 3]; Resize(a, 2);", "a", "1,2"),
    ("var a = [1]; Resize(a, 3, 7);", "a", "1,7,7"),
    ("", "[None([1, ''], IsEmpty), None([1], IsEmpty)]", "false,true"),
    ("var a = [1, 2, 4]; Insert(a, -1, 3);", "a", "1,2,3,4"),
    ("var a = [1, 2, 3]; Erase(a, -1);", "a", "1,2"),
    ("var a = [1, 2, 3]; var b = Reverse(a); Push(b, 0);", "a", "3,2,1,0"),
    ("", "Sort([10, 'b', 9, 'B', true])", "10,9,B,b,true"),
    ("", "Sort([true, false])", "false,true"),
    ("function pick(d) { return d.n }", "Map(Sort([{ n: 2 }, { n: 1 }]), pick)", "2,1"),
    ("var a = [1, 2]; Erase(a, 0);", "a", "2"), ("", "Slice([1, 2, 3, 4], 1, 3)", "2,3"),
    ("", "Slice([1, 2, 3], -2)", "2,3"), ("", "Splice([1, 2], 3, [4])", "1,2,3,4"),
    ("", "Reverse([1, 2, 3])", "3,2,1"), ("", "Distinct([1, 2, 1, 'a', 'a'])", "1,2,a"),
    ("", "Sort([3, 1, 2])", "1,2,3"), ("", "Sort(['b', 'a'])", "a,b"),
    ("", "Top([1, 2, 3], 2)", "1,2"), ("", "Array(2, 7)", "7,7"),
    ("function down(a, b) { return b - a }", "Sort([1, 3, 2], down)", "3,2,1"),
    ("function odd(x) { return x % 2 == 1 }", "Filter([1, 2, 3], odd)", "1,3"),
    ("function twice(x) { return x * 2 }", "Map([1, 2], twice)", "2,4"),
    ("", "[First([5, 6]), Back([5, 6]), IndexOf([5, 6], 6), IndexOf([5], 1)]", "5,6,1,-1"),
    (
      "function add(a, b) { return a + b }", "[Reduce([1, 2, 3], add), Reduce([1], add, 9)]",
      "6,10"
    ),
    (
      "", "[All(['', null], IsEmpty), Any([1, 2], IsEmpty), Includes([1, 'a'], 'a')]",
      "true,false,true"
    ),
  ])
  func `Arrays are changed and gone through`(
    _ before: String, _ array: String, _ expected: String
  ) throws {
    #expect(try value("\(before) Concatenate(\(array), ',')") == .value(.text(expected)))
  }

  @Test(arguments: [
    ("Year(Date(1980, 11, 31))", 1980), ("Month(Date(1980, 11, 31))", 11),
    ("Day(Date(1980, 11, 31))", 31), ("Weekday(Date(1980, 11, 31))", 3),
    ("ISOMonth(Date(1980, 11, 31))", 12), ("ISOWeek(Date(1980, 11, 31))", 1),
    ("ISOWeekday(Date(1980, 11, 31))", 3), ("ISOYear(Date(1980, 11, 31))", 1981),
    ("Week(Date(1974,0,3))", 0), ("Week(Date(1974,0,3), 4)", 1), ("Week(Date(1974,0,3), 5)", 0),
    ("Week(Date(1945,8,23))", 38), ("Week(Date(2022,7,20))", 33), ("Hour($feature.DAY)", 18),
    ("Minute($feature.DAY)", 23), ("Second($feature.DAY)", 3), ("Millisecond($feature.DAY)", 555),
    ("DateDiff(Date(2020,0,2), Date(2020,0,1), 'hours')", 24),
    ("DateDiff(Date(2020,0,2), Date(2020,0,1))", 86_400_000),
    ("DateDiff(Date(2020,2,1), Date(2020,1,1), 'days')", 29),
    ("DateDiff(Date(2020,0,1), Date(2020,0,15), 'weeks')", -2),
    ("DateDiff(Date(2020,0,31), Date(2019,0,31), 'years')", 1),
    ("DateDiff(Date(2020,6,1), Date(2020,0,1), 'months')", 6),
    ("Day(DateAdd(Date(2020,0,31), 1, 'months'))", 29),
    ("Month(DateAdd(Date(2020,0,31), -2, 'month'))", 10),
    ("Year(DateAdd(Date(2020,1,29), 1, 'years'))", 2021),
    ("DateDiff(DateAdd(Date(2020,0,1), 36, 'hours'), Date(2020,0,1), 'days')", 1.5),
    ("Number(Date(1476987783555))", 1_476_987_783_555),
    ("Number(Date('2016-10-20T17:41:37+00:00'))", 1_476_985_297_000),
    ("Number(Date('2016-10-20T10:41:37-07:00'))", 1_476_985_297_000),
    ("Number(Date('2016-10-20T10:41:37-07'))", 1_476_985_297_000),
    ("Number(Date('20161020T174137.5Z'))", 1_476_985_297_500),
    ("Number(Date('2016-10-20T17:41:37.0009Z'))", 1_476_985_297_000),
    ("Number(Date('2016-10-20 17'))", 1_476_982_800_000), ("Day(Date('2016-10'))", 1),
    ("Month(Date('2016'))", 0), ("Day(Date('20161031'))", 31),
    ("Number(Now())", 1_700_000_000_000), ("Hour(Today()) + Minute(Today())", 0),
    ("Number(Date(2019, 12, 32))", 1_580_515_200_000),
  ])
  func `Dates are split and calculated with`(_ text: String, _ expected: Double) throws {
    #expect(try value(text) == .value(.double(expected)))
  }

  @Test(arguments: [
    (
      "Text($feature.DAY, 'dddd, MMMM D, Y @ h:mm:ss A')", "Thursday, October 20, 2016 @ 6:23:03 PM"
    ),
    ("Text($feature.DAY, 'DD/MM/YY HH:mm')", "20/10/16 18:23"),
    ("Text(Date(2021, 0, 5), 'MMM D, Y')", "Jan 5, 2021"),
    ("Text(Date(2021, 0, 5), 'ddd D [of] MMM YYYY, DDD')", "Tue 5 of Jan 2021, 5"),
    ("Text(Date(2021, 0, 5, 0, 7), 'h:m hh')", "12:7 12"),
    ("Text(Date(2021, 0, 5))", "2021-01-05T00:00:00Z"),
    ("'' + Date(2021, 0, 5, 6, 7, 8, 90)", "2021-01-05T06:07:08.090Z"),
  ])
  func `Dates are written by their pattern`(_ text: String, _ expected: String) throws {
    #expect(try value(text) == .value(.text(expected)))
  }

  @Test func `Dates are split in the time zone of the context`() throws {
    let zone = "America/New_York"
    #expect(try value("Hour($feature.DAY)", zone: zone) == .value(.double(14)))
    #expect(try value("Hour(ToUTC($feature.DAY))", zone: zone) == .value(.double(18)))
    #expect(try value("Hour(ToLocal(ToUTC($feature.DAY)))", zone: zone) == .value(.double(14)))
    #expect(
      try value("Text(Date(2016, 6, 1))", zone: zone) == .value(.text("2016-07-01T00:00:00-04:00")))
    // The clock is put forward in between: a day later it shows the same hour.
    let day = "DateAdd(Date(2021, 2, 13, 12), 1, 'days')"
    #expect(try value("Hour(\(day))", zone: zone) == .value(.double(12)))
    #expect(
      try value("DateDiff(\(day), Date(2021, 2, 13, 12), 'hours')", zone: zone)
        == .value(.double(23)))
    #expect(
      try value("DateDiff(\(day), Date(2021, 2, 13, 12), 'days')", zone: zone)
        == .value(.double(1)))
  }

  @Test(arguments: [
    ("Hour(ChangeTimeZone($feature.DAY, 'Asia/Tokyo'))", AttributeValue.double(3)),
    ("Hour(ChangeTimeZone($feature.DAY, 'utc'))", .double(18)),
    ("Hour(ChangeTimeZone(ToUTC($feature.DAY), 'default'))", .double(14)),
    ("Minute(ChangeTimeZone($feature.DAY, '+05:30'))", .double(53)),
    ("Hour(ChangeTimeZone($feature.DAY, '-0330'))", .double(14)),
    ("ChangeTimeZone($feature.NOTE, 'UTC')", .null),
    ("Text(Date(2016, 6, 1, 8, 0, 0, 0, 'UTC'))", .text("2016-07-01T08:00:00Z")),
    (
      "Text(Date(2016, 6, 1, 8, 0, 0, 0, 'Asia/Tokyo'))",
      .text("2016-07-01T08:00:00+09:00")
    ),
  ])
  func `Dates are split in the time zone that is asked for`(
    _ text: String, _ expected: AttributeValue
  ) throws {
    #expect(try value(text, zone: "America/New_York") == .value(expected))
  }

  @Test(arguments: ["Mars/Olympus", "unknown", "system", "+5", "+05:77", "EST", ""])
  func `A time zone that is not known is named`(_ name: String) throws {
    let reason =
      "The Arcade expression uses the time zone \"\(name)\", which is not supported."
    let result = try value("ChangeTimeZone($feature.DAY, '\(name)')")
    #expect(result == .notEvaluated(reason: reason))
  }

  @Test(arguments: [
    ("DateDiff(null, Now(), 'days')", AttributeValue.null), ("Year($feature.NOTE)", .null),
    ("Date('tomorrow')", .null), ("Date(null)", .null), ("Date('2016-13')", .null),
    ("Date('201')", .null), ("Date('20161035')", .null), ("DateAdd(null, 1, 'days')", .null),
  ])
  func `Without a date there is none`(_ text: String, _ expected: AttributeValue) throws {
    #expect(try value(text) == .value(expected))
  }

  @Test(arguments: [
    "Max(null, -3)", "Mean(1, null)", "Max('a', 1)", "Date(2020, 0.5, 1)", "Date(1, 2)",
    "DateAdd(Now(), 0.5, 'months')", "Sort([1, null])", "Sort([1, Now()])",
    "Left('a', 0.5)", "Pop(5)", "Pop([])", "Back([])", "Front([])",
    "ChangeTimeZone($feature.DAY, 9)", "Date(2020, 0, 1, 0, 0, 0, 0, 9)", "Insert([], -1, 1)",
    "Erase([1], 1)",
    "Filter([1], 5)", "Number('1,365')",
    "Number('1,3', '#,###')", "Number('007', '#')", "Number('123', '00')", "FromCharCode(55358)",
    "FromCodePoint(55358)", "FromCharCode(65536)", "ToCharCode('')", "ToCodePoint('a', 1)",
    "UrlEncode({ a: null })", "UrlEncode([1])", "FromJSON('{')", "FromJSON(1)", "Dictionary('[1]')",
    "Date('2016-W03')", "Date('2016-W03-2')", "Date('2016-366')", "Dictionary('a', 1, 'b')",
    "FromJSON('9007199254740993')", "Sqrt(-1)", "Log(0)",
    "IIf('x', 1, 2)", "When(1, 2, 3)",
    "Decode(1, 2)", "Text(1e15, '0')", "TypeOf(null)", "DomainName($feature, 'CODE')",
    "Left('a', -9223372036854775808)", "Date(-9223372036854775808, 0, 1)", "[1][1e300]",
    "Year(Date(1e300))", "Text(DateAdd(Date(1e300), 1, 'days'))", "Month(Date(-1e17))",
    "Year('2020')", "Reduce([], IsEmpty)", "Replace([1], 1, 2)", "Date(400000, 0, 1)",
  ])
  func `An expression with a doubtful result has no value`(_ text: String) throws {
    #expect(try value(text).value == nil)
  }

  @Test func `Codes are named by the domain of their field`() throws {
    let domain = CodedValueDomain(
      name: "d", codedValues: [CodedValue(code: .integer(2), name: "Gravel")])
    let steep = CodedValueDomain(
      name: "s", codedValues: [CodedValue(code: .integer(2), name: "Steps")])
    let schema = FeatureTableSchema(
      name: "roads", fields: [Field("CODE", .integer, domain: .codedValue(domain))],
      typeIDField: "KIND",
      types: [FeatureType(id: .integer(7), name: "Path", domains: ["code": .codedValue(steep)])])
    let context = ArcadeContext(schema: schema)
    func value(_ text: String) -> AttributeValue? {
      ArcadeExpression(text).evaluate(Self.attributes, in: context).value
    }
    #expect(value("DomainName($feature, 'CODE')") == .text("Gravel"))
    #expect(value("DomainName($feature, 'CODE', 9)") == .double(9))
    #expect(value("DomainName($feature, 'NAME')") == .text("Katahdin"))
    #expect(value("DomainCode($feature, 'CODE', 'Gravel')") == .double(2))
    #expect(value("DomainName($feature, 'CODE', 2, 7)") == .text("Steps"))
    #expect(value("DomainName($feature, 'CODE', 2, null)") == .text("Gravel"))
    #expect(value("DomainCode($feature, 'CODE', 'Steps', 7)") == .double(2))
    #expect(value("DomainName($feature, 'CODE', 2, 8)") == nil)
  }

  @Test func `A name of a function counts without case`() throws {
    for name in ArcadeExpression.supportedFunctions {
      #expect(ArcadeExpression("\(name.uppercased())").isUnderstood)
    }
    #expect(ArcadeExpression.supportedFunctions.count > 90)
  }
}
