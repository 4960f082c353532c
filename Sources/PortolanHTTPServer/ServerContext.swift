/// The state that all connections of a server share.
final class ServerContext: Sendable {
  let handler: any HTTPServerHandling
  let bodyLimit: Int
  /// How long a connection waits for the next bytes of a body, in seconds.
  let bodySeconds: UInt32
  /// Whether handlers begin on the threads of connections.
  let answersInPlace: Bool
  let tasks = ServerTasks()

  init(_ configuration: HTTPServer.Configuration, handler: any HTTPServerHandling) {
    self.handler = handler
    bodyLimit = configuration.bodyLimit
    // For the library 0 is for ever.
    bodySeconds = max(UInt32(clamping: configuration.bodyPatience.components.seconds), 1)
    answersInPlace = configuration.answersInPlace
  }
}
