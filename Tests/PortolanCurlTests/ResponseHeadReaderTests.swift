import Foundation
import PortolanTransport
import Testing

@testable import PortolanCurl

@Suite struct ResponseHeadReaderTests {
  private let request = HTTPRequest(URL(filePath: "/"))

  /// Lines of a head, and the fields that they make.
  struct Head: CustomTestStringConvertible, Sendable {
    let lines: [String]
    let fields: [HTTPHeaders.Field]

    var testDescription: String { lines.joined() }
  }

  static let heads: [Head] = [
    Head(lines: ["ETag: \"a b\"\r\n"], fields: [.init(name: "ETag", value: "\"a b\"")]),
    Head(lines: ["ETag:\"a\"\r\n"], fields: [.init(name: "ETag", value: "\"a\"")]),
    Head(lines: ["X:  \t a: b \t\r\n"], fields: [.init(name: "X", value: "a: b")]),
    Head(lines: ["X:\r\n"], fields: [.init(name: "X", value: "")]),
    Head(lines: ["X: only a line feed\n"], fields: [.init(name: "X", value: "only a line feed")]),
    Head(lines: ["X: Größe\r\n"], fields: [.init(name: "X", value: "Größe")]),
    Head(lines: ["X: a\r\n", " \t b\r\n"], fields: [.init(name: "X", value: "a b")]),
    Head(lines: ["a line without its sign\r\n"], fields: []),
    Head(
      lines: ["X: 1\r\n", "x: 2\r\n"],
      fields: [.init(name: "X", value: "1"), .init(name: "x", value: "2")]),
  ]

  @Test(arguments: heads)
  func `Fields are read with their white space trimmed and their folded lines joined`(
    head: Head
  ) throws {
    let read = try read(["HTTP/1.1 200 OK\r\n"] + head.lines + ["\r\n"])
    #expect(read?.headers.fields == head.fields)
  }

  @Test(arguments: ["HTTP/1.1 404 Not Found\r\n", "HTTP/2 404 \r\n", "HTTP/1.1  404\r\n"])
  func `The status is the second word`(line: String) throws {
    #expect(try read([line, "\r\n"])?.status == 404)
  }

  @Test func `An interim answer leaves nothing in the real one`() throws {
    let lines = [
      "HTTP/1.1 103 Early Hints\r\n", "Link: x\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "A: b\r\n",
      "\r\n",
    ]
    let head = try read(lines)
    #expect(head?.status == 200)
    #expect(head?.headers.fields == [.init(name: "A", value: "b")])
  }

  @Test(arguments: [["\r\n"], ["HTTP/1.1 OK\r\n", "\r\n"], ["HTTP/1.1 20 OK\r\n", "\r\n"]])
  func `A head without a status is refused`(lines: [String]) {
    #expect(throws: TransportError.self) { try read(lines) }
  }

  private func read(_ lines: [String]) throws -> HTTPResponseHead? {
    var reader = ResponseHeadReader(for: request, limit: 1_000)
    for line in lines {
      if let head = try unsafe Array(line.utf8).withUnsafeBytes({ try unsafe reader.add($0) }) {
        return head
      }
    }
    return nil
  }
}
