import Foundation
import PortolanJSON
import Testing

@testable import DemoPortal

/// The uploads that services keep.
@Suite struct UploadShelfTests {
  private func upload(_ id: String, _ count: Int) -> Upload {
    var upload = Upload(
      id: id, name: "a", description: "", moment: Date(timeIntervalSince1970: 0))
    upload.data = Data(repeating: 7, count: count)
    return upload
  }

  @Test func `The oldest make room for what comes`() {
    var shelf = UploadShelf(limit: 10)
    for id in ["a", "b", "c"] {
      let isKept = shelf.keep(upload(id, 4))
      #expect(isKept)
    }
    #expect(shelf.uploads.keys.sorted() == ["b", "c"] && shelf.byteCount == 8)
    // One that grows is a new one.
    let hasGrown = shelf.keep(upload("b", 6))
    #expect(hasGrown && shelf.uploads.keys.sorted() == ["b", "c"])
    let isKept = shelf.keep(upload("d", 4))
    #expect(isKept && shelf.uploads.keys.sorted() == ["b", "d"] && shelf.byteCount == 10)
  }

  @Test func `What a job has used goes first`() {
    var shelf = UploadShelf(limit: 10)
    for id in ["a", "b"] { _ = shelf.keep(upload(id, 5)) }
    shelf.noteUse(of: "b")
    shelf.noteUse(of: "none")
    let isKept = shelf.keep(upload("c", 5))
    #expect(isKept && shelf.uploads.keys.sorted() == ["a", "c"])
  }

  @Test func `One that is too large is refused, and takes the place of no other`() {
    var shelf = UploadShelf(limit: 10)
    _ = shelf.keep(upload("a", 5))
    let isKept = shelf.keep(upload("b", 11))
    #expect(!isKept && shelf.uploads.keys.sorted() == ["a"])
    let isStillKept = shelf.keep(upload("a", 11))
    #expect(!isStillKept && shelf.uploads.isEmpty && shelf.byteCount == 0)
    let isGone = !shelf.remove("a")
    #expect(isGone)
  }

  @Test func `An upload that is deleted is there no more`() async throws {
    let client = try ServiceClient()
    let uploads = "\(ServiceClient.maine)/uploads"
    let item = try await client.upload(
      "\(uploads)/upload", field: "file", name: "a.txt", contents: Data("hello".utf8))
    let id = try #require(item["item"]?["itemID"]?.string)
    #expect(try await client.json("\(uploads)/\(id)")["itemName"]?.string == "a.txt")
    #expect(try await client.json("\(uploads)/\(id)/delete")["success"]?.bool == true)
    for path in ["\(uploads)/\(id)", "\(uploads)/\(id)/delete"] {
      #expect(try await client.json(path)["error"]?["code"]?.int == 400)
    }
  }
}
