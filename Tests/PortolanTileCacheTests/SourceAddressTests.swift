import Foundation
import PortolanJSON
import Testing

@testable import PortolanTileCache

/// The secrets in the addresses of a source, and the address that leads to a document.
@Suite struct SourceAddressTests {
  private static let almostLong = String(repeating: "a", count: 23)

  private static let addresses: [(String, String)] = [
    ("https://h/t?style=day&apikey=s", "https://h/t?style=day&apikey=*"),
    ("https://h/t?ACCESS_TOKEN=s&style=day", "https://h/t?ACCESS_TOKEN=*&style=day"),
    // A long value is taken for a key, whatever it is called.
    ("https://h/t?v=\(almostLong)a", "https://h/t?v=*"),
    ("https://h/t?v=\(almostLong)", "https://h/t?v=\(almostLong)"),
    ("https://h/t?key={z}", "https://h/t?key={z}"), ("https://h/t?key=", "https://h/t?key="),
    ("https://h/t?key", "https://h/t?key"), ("https://h/t?sig=a=b", "https://h/t?sig=*"),
    ("https://me:pw@h/t", "https://*@h/t"), ("https://@h/t", "https://@h/t"),
    ("https://h/a@b/t", "https://h/a@b/t"),
    ("https://h/t?sig=a#token=b", "https://h/t?sig=*#token=b"),
    ("https://h/t#token=b", "https://h/t#token=b"),
  ]

  @Test(arguments: addresses)
  func `Only the keys in a URL are replaced`(
    _ address: String, _ shown: String
  ) {
    for name in ["template", "address", "archive"] {
      let record = SourceKeys.replacing(in: .object([name: .string(address)])) { _ in "*" }
      #expect(record[name]?.string == shown)
    }
    let other = SourceKeys.replacing(in: .object(["name": .string(address)])) { _ in "*" }
    #expect(other["name"]?.string == address)
  }

  @Test(arguments: [
    ("X-Key", "a", "*"), ("Authorization", "a", "*"), ("Referer", "a", "a"), ("ACCEPT", "a", "a"),
    ("X-Key", "", ""),
  ])
  func `All header values are keys, except those that every browser sends`(
    _ name: String, _ value: String, _ shown: String
  ) {
    let record = SourceKeys.replacing(
      in: .object(["headers": .array([.array([.string(name), .string(value)])])])
    ) { _ in "*" }
    #expect(record["headers"]?[0]?[0]?.string == name)
    #expect(record["headers"]?[0]?[1]?.string == shown)
  }

  @Test(arguments: [
    "key", "KEY", "apiKey", "api_key", "api-key", "accesskey", "access_key", "appkey", "app_key",
    "subscription-key", "subscription_key", "token", "access_token", "X-Amz-Security-Token",
    "client_secret", "X-Amz-Credential", "sig", "signature", "auth", "password",
  ])
  func `A source is the same with another value of a name that is known for keys`(_ name: String) {
    #expect(SourceKeys.withoutNamedKeys("https://h/t?v=1&\(name)=s") == "https://h/t?v=1&\(name)=")
  }

  @Test(arguments: [
    "layerkey", "layer_key", "mapkey", "style_token", "monkey", "design", "session",
  ])
  func `A source with another value of a name that only sounds like a key is another one`(
    _ name: String
  ) {
    let address = "https://h/t?\(name)=roads"
    #expect(SourceKeys.withoutNamedKeys(address) == address)
  }

  @Test(
    arguments: [
      ("layerkey=a", "layerkey=b", true, true), ("key=a", "key=b", false, false),
      ("style=a", "style=a&v=1", true, false), ("f=json", "f=pjson", true, false),
      ("layerkey=a", "layerkey=kept-apart-00", false, false),
      ("layerkey=a&style=a", "layerkey=kept-apart-00&style=b", true, true),
      (
        "v=1&X-Amz-Date=20261201T000000Z&X-Amz-Expires=60&X-Amz-Signature=a",
        "v=1&X-Amz-Date=20261202T000000Z&X-Amz-Expires=90&X-Amz-Signature=b", false, false
      ),
      (
        "sp=r&se=2026-12-01T00:00:00Z&sig=a", "sp=r&se=2026-12-02T00%3A00%3A00Z&sig=b", false, false
      ),
      ("Expires=1790000000&Signature=a", "Expires=1790000001&Signature=b", false, false),
      ("se=north", "se=south", true, true), ("expires=soon", "expires=late", true, true),
    ] as [(String, String, Bool, Bool)])
  func `Addresses differ by what is asked for, and documents by what both name`(
    _ one: String, _ other: String, _ differ: Bool, _ documentsDiffer: Bool
  ) {
    let (one, other) = ("https://h/t?" + one, "https://h/t?" + other)
    #expect(SourceKeys.differInQuery(one, other) == differ)
    #expect(SourceKeys.differInQuery(other, one) == differ)
    #expect(SourceKeys.differInQuery(one, other, namesOfBoth: true) == documentsDiffer)
  }

  @Test func `Sources that differ in their keys alone have the same plain query`() {
    let plain: Set<String> = ["style=day", "v"]
    for key in ["a", "b"] {
      #expect(SourceKeys.plainQuery(of: "https://h/t?style=day&key=\(key)&v#x=y") == plain)
    }
    #expect(SourceKeys.plainQuery(of: "https://h/t").isEmpty)
    #expect(SourceKeys.plainQuery(of: "https://h/t?layerkey=a") == ["layerkey=a"])
  }

  @Test(
    arguments: [
      ("https://h/t.json", true), ("https://h/tiles?f=json", true),
      ("https://h/{z}/{x}/{y}.png", false), ("https://h/rest/services/a/MapServer", false),
      ("https://h/rest/services/a/MapServer/", false), ("t.json", false), (nil, false),
    ] as [(String?, Bool)])
  func `Only a document that may name other addresses tomorrow is read again`(
    _ address: String?, _ isRead: Bool
  ) throws {
    var config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    config.address = address
    #expect((config.documentAddress != nil) == isRead)
    config.archive = URL(string: "https://h/t.pmtiles")
    #expect(config.documentAddress == nil)
    var imported = try MapCacheConfig(
      withUrlTemplate: "\(MapCacheConfig.importedRoot){z}/{x}/{y}")
    imported.address = address
    #expect(imported.documentAddress == nil)
  }
}
