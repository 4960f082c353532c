import Foundation
import PortolanApp
import PortolanHTTPServer
import PortolanJSON
import PortolanTransport
import Testing

@testable import PortolanWeb

/// Asks as the page does, with the cookie that the address gave it.
@MainActor struct FakeBrowser {
  struct Answer {
    let status: Int
    let headers: HTTPHeaders
    let data: Data
  }

  private let handler: WebHandler
  private let host: String
  private let cookie: String

  init(_ web: WebApp) async throws {
    handler = web.handler
    host = "127.0.0.1:\(web.url.port ?? 0)"
    let request = HTTPServerRequest(
      method: "GET", target: "/?\(web.url.query() ?? "")", headers: ["Host": host])
    let answer = try #require(await handler.respond(to: request))
    #expect(answer.status == 303)
    cookie = String(try #require(answer.headers["Set-Cookie"]).prefix { $0 != ";" })
  }

  func get(_ target: String) async throws -> Answer {
    try await answer(
      HTTPServerRequest(
        method: "GET", target: target, headers: ["Host": host, "Cookie": cookie]))
  }

  /// Asks by another method than pages do.
  func ask(_ method: String, _ target: String) async throws -> Answer {
    try await answer(
      HTTPServerRequest(
        method: method, target: target,
        headers: ["Host": host, "Cookie": cookie, "Origin": "http://\(host)"]))
  }

  /// Has an action done, which must succeed.
  @discardableResult
  func post(_ name: String, _ parameters: JSONValue) async throws -> JSONValue {
    let answer = try await answer(to: "/api/\(name)", body: parameters.encoded())
    let value = try JSONValue(parsing: answer.data)
    #expect(answer.status == 200, "\(name): \(value.text())")
    return value
  }

  func answer(to target: String, body: Data) async throws -> Answer {
    try await answer(
      HTTPServerRequest(
        method: "POST", target: target,
        headers: [
          "Host": host, "Cookie": cookie, "Origin": "http://\(host)",
          "Content-Type": "application/json",
        ], body: body))
  }

  /// With which status a request is refused before its body is read; `nil` if it is not.
  func refusalBeforeBody(of target: String, length: Int?, isIn: Bool = true) -> Int? {
    var headers: HTTPHeaders = ["Host": host, "Origin": "http://\(host)"]
    if isIn { headers["Cookie"] = cookie }
    if let length { headers["Content-Length"] = "\(length)" }
    let request = HTTPServerRequest(method: "POST", target: target, headers: headers)
    return handler.refusal(beforeBodyOf: request)?.status
  }

  private func answer(_ request: HTTPServerRequest) async throws -> Answer {
    let response = try #require(await handler.respond(to: request))
    let data: Data
    switch response.body {
    case .bytes(let bytes): data = bytes
    case .file(let file, let offset, let length):
      data = try Data(contentsOf: file).dropFirst(offset).prefix(length)
    case .stream: throw Problem(message: "The answer to \(request.target) does not end.")
    }
    return Answer(status: response.status, headers: response.headers, data: data)
  }

  /// Sends a file in pieces of a size, as the page does, and returns what it is asked for by.
  func send(_ data: Data, named name: String, pieceSize: Int) async throws -> JSONValue {
    let id = UUID().uuidString
    for offset in stride(from: 0, to: data.count, by: pieceSize) {
      let path =
        "/api/maps/import-piece?upload=\(id)&name=\(name)&size=\(data.count)&offset=\(offset)"
      let piece = data.dropFirst(offset).prefix(pieceSize)
      #expect(try await answer(to: path, body: Data(piece)).status == 200)
    }
    return .string(id)
  }

  /// Has a file made, and saves it.
  func save(_ name: String, _ parameters: JSONValue) async throws -> Answer {
    let made = try await post(name, parameters)
    return try await get("/api/downloads/\(made["download"]?.string ?? "")")
  }

  /// Downloads an area of the demo portal, and opens it.
  func openCascoBay() async throws {
    let area = try await row("Casco Bay") { $0["state"] == "available" }
    let id = try #require(area["id"])
    try await post("maps/download", ["id": id])
    _ = try await row("Casco Bay") { $0["state"] == "stored" }
    try await post("map/open", ["id": id])
  }

  // MARK: - Events

  /// Waits for an event, as it is now or comes.
  func event(
    _ name: String, where isWanted: (JSONValue) -> Bool
  ) async throws -> JSONValue {
    let request = HTTPServerRequest(
      method: "GET", target: "/api/events", headers: ["Host": host, "Cookie": cookie])
    let response = try #require(await handler.respond(to: request))
    guard case .stream(let body, length: nil) = response.body else {
      throw Problem(message: "There is no stream of events.")
    }
    var text = ""
    while true {
      try Task.checkCancellation()
      switch body.next(at: 0, limit: 1 << 20) {
      case .bytes(let data): text += String(decoding: data, as: UTF8.self)
      case .wait(let wait): await wait()
      case .end, .cut: throw Problem(message: "The stream of events has ended.")
      }
      while let end = text.firstRange(of: "\n\n") {
        let lines = text[..<end.lowerBound].split(separator: "\n")
        text = String(text[end.upperBound...])
        guard lines.first == "event: \(name)", let data = lines.last?.dropFirst(6) else { continue }
        let value = try JSONValue(parsing: String(data))
        if isWanted(value) { return value }
      }
    }
  }

  /// Waits for a row of the map list.
  func row(_ title: String, where isWanted: (JSONValue) -> Bool) async throws -> JSONValue {
    func row(_ maps: JSONValue) -> JSONValue? {
      maps["items"]?.array?.first { $0["title"]?.string == title && isWanted($0) }
    }
    return try #require(row(try await event("maps") { row($0) != nil }))
  }
}
