internal import Foundation
internal import PortolanApp
internal import PortolanHTTPServer
internal import PortolanTransport

/// A problem as a page of its own, for browsers that are not let in to the web app.
struct ProblemPage {
  private let problem: Problem

  init(_ problem: Problem) { self.problem = problem }

  /// The page in HTML; it needs no other file, which the browser would not get either.
  var html: String {
    let paragraphs = [problem.reason, problem.suggestion].compactMap(\.self)
      .map { "<p>\(Self.escaped($0))</p>" }.joined()
    return "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
      + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      + "<title>Portolan</title></head><body><main><h1>\(Self.escaped(problem.message))</h1>"
      + paragraphs + "</main></body></html>\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension HTTPServerResponse {
  /// A page that says what is wrong.
  init(status: Int, page: ProblemPage) {
    self.init(
      status: status,
      headers: ["Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"],
      body: .bytes(Data(page.html.utf8)))
  }
}
