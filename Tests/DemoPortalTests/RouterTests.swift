import DemoPortal
import Foundation
import PortolanJSON
import PortolanTransport
import Testing

@Suite struct DemoRequestTests {
  private func request(
    _ target: String, headers: HTTPHeaders = [:], body: String = ""
  ) throws -> DemoRequest {
    DemoRequest(
      method: body.isEmpty ? .get : .post,
      base: try #require(URL(string: "https://demo.test")), target: target, headers: headers,
      body: Data(body.utf8))
  }

  @Test func `Parameters are found whatever their case, and empty ones are absent`() throws {
    let request = try request("/a%20b//c?returnAttachmentsDatabyUrl=True&geometry=&q=a+b%2Bc")
    #expect(request.path == "/a b/c")
    #expect(request.parameters.bool("returnAttachmentsDataByUrl") == true)
    #expect(request.parameters["geometry"] == nil)
    #expect(request.parameters.raw("GEOMETRY") == "")
    #expect(request.parameters["Q"] == "a b+c")
  }

  @Test func `A form counts as the query does`() throws {
    let request = try request(
      "/x?f=json",
      headers: ["content-type": "application/x-www-form-urlencoded; charset=utf-8"],
      body: "num=7&ids=1, 2,,3&where=a%3D1")
    #expect(request.parameters.int("num") == 7)
    #expect(request.parameters.list("ids") == ["1", "2", "3"])
    #expect(request.parameters["where"] == "a=1")
    #expect(request.parameters["f"] == "json")
  }

  @Test func `A multipart form gives fields and files`() throws {
    let body =
      "--AB\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\njson\r\n"
      + "--AB\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
      + "Content-Type: text/plain\r\n\r\none\r\ntwo\r\n--AB--\r\n"
    let request = try request(
      "/x", headers: ["Content-Type": "multipart/form-data; boundary=\"AB\""], body: body)
    #expect(request.parameters["f"] == "json")
    let part = try #require(request.parts.first)
    #expect(part.fileName == "a.txt")
    #expect(part.contentType == "text/plain")
    #expect(String(decoding: part.body, as: UTF8.self) == "one\r\ntwo")
  }

  @Test(arguments: ["", "--AB", "--AB\r\n", "--AB\r\nContent-Disposition", "--AB\r\n\r\n--AB--"])
  func `A broken multipart form is an empty one`(_ body: String) throws {
    let request = try request(
      "/x", headers: ["Content-Type": "multipart/form-data; boundary=AB"], body: body)
    #expect(request.parts.isEmpty)
    #expect(request.parameters.names.isEmpty)
  }

  @Test(
    arguments: [
      ("/x?token=t", [:]),
      ("/x", ["X-Esri-Authorization": "Bearer t"]),
      ("/x", ["authorization": "bearer t"]),
    ] as [(String, HTTPHeaders)])
  func `A token is found in each of its places`(_ target: String, _ headers: HTTPHeaders) throws {
    #expect(try request(target, headers: headers).token == "t")
  }

  @Test(
    arguments: [
      ["Authorization": "Basic t"], ["Authorization": "Bearer"], ["Authorization": "Bearer a b"],
    ] as [HTTPHeaders])
  func `A non-bearer scheme is no token`(_ headers: HTTPHeaders) throws {
    #expect(try request("/x", headers: headers).token == nil)
  }
}

@Suite struct InProcessTransportTests {
  private func answer(_ address: String) async throws -> HTTPResponse {
    let url = try #require(URL(string: address))
    return try await InProcessTransport(DemoPortal(state: DemoState())).send(HTTPRequest(url))
  }

  @Test(arguments: ["/sharing/rest", "/Sharing/REST/", "/sharing"])
  func `The root says its version, whatever the case of its path`(_ path: String) async throws {
    let response = try await answer("https://demo.test" + path + "?f=json")
    let body = try JSONValue(parsing: response.body)
    #expect(body["currentVersion"] == "2024.2")
  }

  @Test func `An address that is not there is a failure inside an answer of 200`() async throws {
    let response = try await answer("https://demo.test/nowhere?f=json")
    #expect(response.status == 200)
    #expect(try JSONValue(parsing: response.body)["error"]?["code"] == 404)
  }

  @Test func `Resources of the portal are at the URL that was used`() async throws {
    let response = try await answer("http://localhost:81/sharing/rest/info?f=json")
    let body = try JSONValue(parsing: response.body)
    #expect(body["owningSystemUrl"] == "http://localhost:81")
  }
}
