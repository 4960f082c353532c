import DemoPortal
import Foundation
import PortolanJSON
import Testing

@Suite struct SearchTests {
  private func titles(
    _ query: String, more: String = "", token: String? = nil
  ) async throws -> [String] {
    let bed = try await PortalBed()
    let found = try await bed.json(
      "/sharing/rest/search?f=json&num=100&q=\(PortalBed.encoded(query))\(more)", token: token)
    return (found["results"]?.array ?? []).compactMap { $0["title"]?.string }
  }

  @Test(
    arguments: [
      (#"title:"Acadia" type:"Map Area""#, ["Acadia"]),
      (#"type:"Web Map""#, ["Explore Maine", "Lighthouses", "Parks and trails"]),
      (#"(type:"web map" NOT type:"web mapping application") AND title:light*"#, ["Lighthouses"]),
      ("naperville", ["Naperville Water Company Mapbook"]),
      ("naperville accountid:PortolanDemoOrg1", ["Naperville Water Company Mapbook"]),
      ("naperville accountid:somebodyElse", []),
      (
        "naperville OR (title:acadia -type:mobile)", ["Naperville Water Company Mapbook", "Acadia"]
      ),
      (#"title:"water company" owner:demo"#, ["Naperville Water Company Mapbook"]),
      ("field:nothing", []),
      (
        #"type:("Hologram Set" OR "Web Map")"#,
        ["Explore Maine", "Lighthouses", "Parks and trails"]
      ),
      (
        #"(type:("Web Map") AND modified:[0000000000000000000 TO 0009999999999999999])"#,
        ["Explore Maine", "Lighthouses", "Parks and trails"]
      ),
      (#"created:[0 TO 1] type:"Web Map""#, []),
      ("((((", nil), ("\"", nil), ("title:", nil), ("NOT", nil), ("*", nil), ("", nil),
    ] as [(String, [String]?)])
  func `A question finds its items`(_ query: String, _ expected: [String]?) async throws {
    let found = try await titles(query)
    // Without an expectation it is enough that the question is answered.
    if let expected { #expect(found.sorted() == expected.sorted()) }
  }

  @Test func `Items are counted by the values of fields, the most frequent first`() async throws {
    let bed = try await PortalBed()
    let query = PortalBed.encoded(#"type:"Web Map" OR type:"Mobile Map Package""#)
    let found = try await bed.json(
      "/sharing/rest/search?f=json&num=1&q=\(query)&countFields=type,access,nothing,tags&countSize=2"
    )
    let counts = try #require(found["aggregations"]?["counts"]?.array)
    #expect(counts.compactMap { $0["fieldName"]?.string } == ["type", "access", "tags"])
    let types = try #require(counts[0]["fieldValues"]?.array)
    #expect(types.map { $0["value"]?.string } == ["mobile map package", "web map"])
    #expect(types[1]["count"]?.int == 3)
    let numbers = types.compactMap { $0["count"]?.int }
    #expect(numbers.reduce(0, +) == found["total"]?.int)
    #expect(counts[2]["fieldValues"]?.array?.count == 2)
    let plain = try await bed.json("/sharing/rest/search?f=json&num=1&q=\(query)")
    #expect(plain["aggregations"] == nil)
  }

  @Test func `Parentheses without an end cost neither time nor stack`() async throws {
    _ = try await titles(String(repeating: "(", count: 5000) + "maine")
  }

  @Test func `Mobile map packages fill three pages of twenty`() async throws {
    let bed = try await PortalBed()
    let query = PortalBed.encoded(#"type:"Mobile Map Package""#)
    var ids: [String] = []
    var start = 1
    var pages = 0
    while start > 0 {
      let page = try await bed.json("/sharing/rest/search?q=\(query)&num=20&start=\(start)&f=json")
      ids += (page["results"]?.array ?? []).compactMap { $0["id"]?.string }
      start = try #require(page["nextStart"]?.int)
      pages += 1
    }
    #expect(pages == 3)
    #expect(Set(ids).count == ids.count)
    #expect(ids.count > 40)
  }

  @Test(arguments: ["asc", "desc"]) func `Items are sorted by title`(_ order: String) async throws {
    let found = try await titles("mapbook", more: "&sortField=title&sortOrder=\(order)")
    let sorted = found.sorted { $0.lowercased() < $1.lowercased() }
    #expect(found == (order == "asc" ? sorted : sorted.reversed()))
  }

  @Test func `The box keeps what is elsewhere out`() async throws {
    let found = try await titles("mapbook", more: "&bbox=-89,41,-88,42")
    #expect(found == ["Naperville Water Company Mapbook"])
  }

  @Test func `Beyond ten thousand nothing is answered`() async throws {
    let bed = try await PortalBed()
    let answer = try await bed.json("/sharing/rest/search?q=maine&start=10000&num=100&f=json")
    #expect(answer["error"]?["code"] == 400)
  }

  @Test func `Private items are found by their owner only`() async throws {
    let bed = try await PortalBed()
    for (name, count) in [("demo", 1), ("viewer", 0)] {
      let found = try await bed.json(
        "/sharing/rest/search?q=title:notes", token: bed.token(name))
      #expect(found["total"]?.int == count)
    }
  }
}
