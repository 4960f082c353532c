internal import Foundation
internal import PortolanPortal

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Answers the browsers that come to a redirect address until the right one does.
///
/// Browsers open connections ahead that say nothing, so all are listened to at once.
struct RedirectLoop {
  private let listening: Int32
  private let waking: Int32
  private let port: UInt16
  private var visitors: [Int32: Data] = [:]

  private static let mostVisitors = 32
  /// The longest head of a request, in bytes.
  private static let longestHead = 16_384

  init(listening: Int32, wakingBy waking: Int32, port: UInt16) {
    self.listening = listening
    self.waking = waking
    self.port = port
  }

  /// Waits for the answer that `accepts` approves of.
  ///
  /// - Throws: ``SignInFailure/timedOut(seconds:)``; ``PortalError/cancelled`` once woken.
  mutating func run(
    within seconds: Int, accepting accepts: (URL) -> Bool
  ) throws(PortalError) -> URL {
    defer { for visitor in visitors.keys { close(visitor) } }
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      let left = max(.zero, end - ContinuousClock.now)
      let ready = poll(for: Int32(clamping: left.components.seconds * 1000 + 999))
      if ready.contains(waking) { throw .cancelled }
      if ready.contains(listening) { welcome() }
      for visitor in ready where visitors[visitor] != nil {
        guard let url = listen(to: visitor) else { continue }
        let isAnswer = accepts(url)
        dismiss(visitor, with: isAnswer ? Self.thanks : Self.refusal)
        if isAnswer { return url }
      }
      if ContinuousClock.now >= end { throw .signIn(.timedOut(seconds: seconds)) }
    }
  }

  private func poll(for milliseconds: Int32) -> [Int32] {
    var requests = ([listening, waking] + visitors.keys).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard unsafe Glibc.poll(&requests, nfds_t(requests.count), milliseconds) > 0 else { return [] }
    return requests.filter { $0.revents != 0 }.map(\.fd)
  }

  private mutating func welcome() {
    let visitor = accept(listening, nil, nil)
    guard visitor >= 0 else { return }
    LoopbackListener.keepToItself(visitor)
    guard visitors.count < Self.mostVisitors else {
      close(visitor)
      return
    }
    visitors[visitor] = Data()
  }

  /// The address that a visitor asks for, once its request is whole.
  private mutating func listen(to visitor: Int32) -> URL? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(visitor, &bytes, bytes.count, 0)
    if count < 0, [EAGAIN, EINTR].contains(errno) { return nil }
    guard count > 0 else {
      leave(visitor)
      return nil
    }
    visitors[visitor]?.append(contentsOf: bytes[..<count])
    let head = visitors[visitor] ?? Data()
    guard head.range(of: Data("\r\n\r\n".utf8)) != nil else {
      if head.count > Self.longestHead { dismiss(visitor, with: Self.refusal) }
      return nil
    }
    guard let url = address(in: head) else {
      dismiss(visitor, with: Self.refusal)
      return nil
    }
    return url
  }

  /// The address in the first line, if it is a `GET` of the redirect address.
  private func address(in head: Data) -> URL? {
    let line = String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self)
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/"),
      let url = URL(string: "http://127.0.0.1:\(port)\(words[1])"),
      url.path() == LoopbackListener.path
    else { return nil }
    return url
  }

  private mutating func dismiss(_ visitor: Int32, with answer: String) {
    let bytes = Data(answer.utf8)
    // If the answer is not read, the page was closed.
    _ = unsafe bytes.withUnsafeBytes {
      unsafe send(visitor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    shutdown(visitor, Int32(SHUT_WR))
    leave(visitor)
  }

  private mutating func leave(_ visitor: Int32) {
    close(visitor)
    visitors[visitor] = nil
  }

  private static let thanks = page(
    "200 OK", "You are signed in to Portolan, or have declined. You can close this page.")
  private static let refusal = page("404 Not Found", "This page is not for you.")

  private static func page(_ status: String, _ sentence: String) -> String {
    let body = "<!DOCTYPE html><title>Portolan</title><p>\(sentence)</p>\n"
    return "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\n"
      + "Content-Length: \(body.utf8.count)\r\nCache-Control: no-store\r\n"
      + "Connection: close\r\n\r\n" + body
  }
}
