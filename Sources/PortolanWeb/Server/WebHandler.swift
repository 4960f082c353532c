internal import Foundation
internal import PortolanApp
internal import PortolanFeatures
internal import PortolanHTTPServer
internal import PortolanJSON
internal import PortolanTransport

/// Answers what browsers ask for.
struct WebHandler: HTTPServerHandling {
  /// The most bytes of the parameters of an action.
  private static let longestParameters = 1 << 20

  let gate: WebGate
  let files: PageFiles
  let events: EventHub
  let actions: WebActions
  let images: WebImages

  func respond(to request: HTTPServerRequest) async -> HTTPServerResponse? {
    guard let target = WebTarget(request.target) else { return refusal(status: 400) }
    var response: HTTPServerResponse
    switch gate.verdict(on: request, target) {
    case .refused(let reason): response = Self.refusal(of: request, because: reason)
    case .welcome(let cookie):
      // The token does not stay in the history of the browser.
      response = HTTPServerResponse(status: 303, headers: ["Location": "/", "Set-Cookie": cookie])
    case .announced: response = HTTPServerResponse(status: 303, headers: ["Location": "/"])
    case .admitted(let browser): response = await answer(request, target, for: browser)
    }
    response.secure()
    return response
  }

  func refusal(beforeBodyOf request: HTTPServerRequest) -> HTTPServerResponse? {
    guard let target = WebTarget(request.target) else { return refusal(status: 400) }
    switch gate.verdict(on: request, target) {
    case .refused(let reason):
      var response = Self.refusal(of: request, because: reason)
      response.secure()
      return response
    case .welcome, .announced: return refusal(status: 400)
    case .admitted:
      // Without a length it would have to be read to its end, which may never come.
      guard let length = request.headers["Content-Length"].flatMap({ Int($0) }) else {
        return refusal(status: 411)
      }
      return takesFile(target) || length <= Self.longestParameters ? nil : refusal(status: 413)
    }
  }

  /// A page where a browser opens one, and a document for programs.
  private static func refusal(
    of request: HTTPServerRequest, because reason: String
  ) -> HTTPServerResponse {
    let problem = Problem(
      message: reason,
      suggestion: "Open the address that was printed when the web app was started.")
    let isPage = request.headers.values(of: "Accept").contains {
      $0.lowercased().contains("text/html")
    }
    return isPage
      ? HTTPServerResponse(status: 403, page: ProblemPage(problem)) : .problem(problem, status: 403)
  }

  /// Whether the body of a request is a file, or a piece of one.
  private func takesFile(_ target: WebTarget) -> Bool {
    [["api", "map", "attach"], ["api", "maps", "import-piece"]].contains(target.parts)
  }

  func refusal(status: Int) -> HTTPServerResponse {
    let problem =
      switch status {
      case 411:
        Problem(
          message: "The request does not say how long its body is.",
          suggestion: "Send it with a Content-Length, and not in chunks.")
      case 413: Problem(message: "The file is too large.")
      default: Problem(message: "The request cannot be read.")
      }
    var response = HTTPServerResponse.problem(problem, status: status)
    response.secure()
    return response
  }

  private func answer(
    _ request: HTTPServerRequest, _ target: WebTarget, for browser: String
  ) async -> HTTPServerResponse {
    let isReading = ["GET", "HEAD"].contains(request.method)
    guard isReading || request.method == "POST" else {
      return Self.unknownMethod(allowing: "GET, HEAD, POST")
    }
    do throws(Problem) {
      guard target.parts.first == "api" else {
        guard let file = files.response(to: target.parts) else {
          throw Problem(message: "There is no such page.", kind: .absence)
        }
        return isReading ? file : Self.unknownMethod(allowing: "GET, HEAD")
      }
      let parts = Array(target.parts.dropFirst())
      if isReading {
        guard !WebActions.isAction(parts) else { return Self.unknownMethod(allowing: "POST") }
        return try await read(parts, target)
      }
      guard !Self.isRead(parts) else { return Self.unknownMethod(allowing: "GET, HEAD") }
      if parts == ["map", "attach"] { return .json(try await attach(request, target)) }
      if parts == ["maps", "import-piece"] { return .json(try await takePiece(request, target)) }
      let name = parts.joined(separator: "/")
      return .json(try await actions.perform(name, try parameters(request), for: browser))
    } catch {
      return .problem(error, status: Self.status(of: error))
    }
  }

  private static func status(of problem: Problem) -> Int {
    if problem.code == .usage { return 400 }
    return problem.kind == .absence ? 404 : 409
  }

  private static func unknownMethod(allowing methods: String) -> HTTPServerResponse {
    var response = HTTPServerResponse.problem(
      Problem(message: "The request has a method that means nothing here."), status: 405)
    response.headers["Allow"] = methods
    return response
  }

  /// Whether something is read at an address of this form, and nothing is done.
  private static func isRead(_ parts: [String]) -> Bool {
    parts == ["events"] || (parts.count == 2 && parts[0] == "downloads")
      || WebImages.isAddress(parts)
  }

  private func read(
    _ parts: [String], _ target: WebTarget
  ) async throws(Problem) -> HTTPServerResponse {
    if parts == ["events"] {
      return HTTPServerResponse(
        headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
        body: .stream(events.connect(), length: nil))
    }
    if parts.count == 2, parts[0] == "downloads" {
      return try await actions.downloads.response(to: parts[1])
    }
    return try await images.response(to: parts, target.query)
  }

  private func parameters(_ request: HTTPServerRequest) throws(Problem) -> ActionParameters {
    let type = request.headers["Content-Type"] ?? ""
    guard type.hasPrefix("application/json"), request.body.count <= Self.longestParameters,
      // A body that is not JSON is refused like one of the wrong type.
      let value = try? JSONValue(parsing: request.body), let object = value.object
    else {
      throw Problem(
        .usage, message: "The request has no parameters that can be read.",
        suggestion: "Reload the page.")
    }
    return ActionParameters(object: object)
  }

  private func takePiece(
    _ request: HTTPServerRequest, _ target: WebTarget
  ) async throws(Problem) -> JSONValue {
    guard let id = target.query["upload"], let name = target.query["name"],
      let size = target.query["size"].flatMap({ Int($0) }),
      let offset = target.query["offset"].flatMap({ Int($0) }), offset >= 0
    else { throw Problem(.usage, message: "The request does not say what the piece belongs to.") }
    let piece = WebUploads.Piece(
      id: id, name: name, size: size, offset: offset, data: request.body)
    let count = try await actions.uploads.append(piece)
    return ["bytes": .integer(Int64(count))]
  }

  private func attach(
    _ request: HTTPServerRequest, _ target: WebTarget
  ) async throws(Problem) -> JSONValue {
    guard let layer = target.query["layer"], let name = target.query["name"], !name.isEmpty,
      let objectID = target.query["objectID"].flatMap({ Int64($0) })
    else {
      throw Problem(.usage, message: "The request does not say what the file belongs to.")
    }
    let old = target.query["attachment"].map { Int64($0) }
    guard old != .some(nil) else {
      throw Problem(.usage, message: "The request does not say what the file takes the place of.")
    }
    // A browser that does not know what a file is says so, or nothing.
    let told = request.headers["Content-Type"].flatMap { $0.isEmpty ? nil : $0 }
    let type = told.flatMap { $0 == AttachmentFormat.unknown ? nil : $0 }
    let attachment = NewAttachment(
      name: name, contentType: type ?? AttachmentFormat.mediaType(ofFileNamed: name),
      data: request.body)
    return try await actions.attach(
      attachment, to: objectID, in: layer, replacing: old.flatMap { $0 },
      for: (
        opening: target.query["opening"].flatMap { Int64($0) },
        question: target.query["question"].flatMap { Int64($0) }
      ))
  }
}

extension HTTPServerResponse {
  /// A JSON document.
  static func json(_ value: JSONValue, status: Int = 200) -> HTTPServerResponse {
    HTTPServerResponse(
      status: status,
      headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
      body: .bytes(value.encoded()))
  }

  /// A problem, for the page to show.
  static func problem(_ problem: Problem, status: Int) -> HTTPServerResponse {
    .json(["problem": problem.json], status: status)
  }

  /// Says what the browser may do with it: nothing from another host, no frame around it.
  fileprivate mutating func secure() {
    headers["Content-Security-Policy"] =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
      + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
  }
}
