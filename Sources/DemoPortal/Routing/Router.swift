internal import Foundation

/// Finds the handler of a path.
///
/// A pattern is a path whose segments may be `{name}`, any one segment, or at its end `{name...}`,
/// all that follow (one at least). Letters match whatever their case. A segment that is spelled out
/// wins over one in braces.
public struct Router: Sendable {
  /// Answers a request; a ``DemoFailure`` becomes the portal's error envelope.
  public typealias Handler = @Sendable (DemoRequest) async throws -> DemoResponse

  /// A handler and whose tokens its requests carry.
  struct Route: Sendable {
    let realm: DemoRealm?
    let captures: [String]
    let handler: Handler
  }

  private final class Node: Sendable {
    let children: [String: Node]
    let any: Node?
    let route: Route?
    let rest: Route?

    init(children: [String: Node], any: Node?, route: Route?, rest: Route?) {
      self.children = children
      self.any = any
      self.route = route
      self.rest = rest
    }
  }

  private var root = Node(children: [:], any: nil, route: nil, rest: nil)

  /// Creates a router without routes.
  public init() {}

  /// Sends what matches `pattern` to `handler`, instead of what did so before.
  ///
  /// - Parameters:
  ///   - pattern: The path, for example `/sharing/rest/content/items/{id}/data`.
  ///   - realm: Whose tokens are valid there; a request with another token is refused before it
  ///     reaches the handler. `nil` leaves the token unread.
  ///   - handler: What answers.
  public mutating func add(
    _ pattern: String, realm: DemoRealm? = .portal, handler: @escaping Handler
  ) {
    let segments = pattern.split(separator: "/").map(String.init)
    let captures = segments.filter { $0.hasPrefix("{") }.map {
      String($0.dropFirst().prefix { $0 != "." && $0 != "}" })
    }
    root = Self.adding(
      Route(realm: realm, captures: captures, handler: handler), at: segments[...], to: root)
  }

  private static func adding(_ route: Route, at segments: ArraySlice<String>, to node: Node) -> Node
  {
    guard let segment = segments.first else {
      return Node(children: node.children, any: node.any, route: route, rest: node.rest)
    }
    if segment.hasSuffix("...}") {
      return Node(children: node.children, any: node.any, route: node.route, rest: route)
    }
    let empty = Node(children: [:], any: nil, route: nil, rest: nil)
    if segment.hasPrefix("{") {
      let any = adding(route, at: segments.dropFirst(), to: node.any ?? empty)
      return Node(children: node.children, any: any, route: node.route, rest: node.rest)
    }
    var children = node.children
    let key = segment.lowercased()
    children[key] = adding(route, at: segments.dropFirst(), to: children[key] ?? empty)
    return Node(children: children, any: node.any, route: node.route, rest: node.rest)
  }
}

extension Router {
  /// The route of `segments` and what its braces stand for.
  func route(of segments: [String]) -> (route: Route, captures: [String: String])? {
    guard let (route, values) = Self.find(segments[...], in: root, values: []) else { return nil }
    return (route, Dictionary(zip(route.captures, values), uniquingKeysWith: { $1 }))
  }

  private static func find(
    _ segments: ArraySlice<String>, in node: Node, values: [String]
  ) -> (Route, [String])? {
    guard let segment = segments.first else { return node.route.map { ($0, values) } }
    let others = segments.dropFirst()
    if let child = node.children[segment.lowercased()],
      let found = find(others, in: child, values: values)
    {
      return found
    }
    if let any = node.any, let found = find(others, in: any, values: values + [segment]) {
      return found
    }
    return node.rest.map { ($0, values + [segments.joined(separator: "/")]) }
  }
}
