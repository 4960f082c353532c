/// What every connection of a server shares.
final class ServerContext: Sendable {
  let handler: any HTTPServerHandling
  let bodyLimit: Int
  /// Whether handlers begin on the threads of connections.
  let answersInPlace: Bool
  let tasks = ServerTasks()

  init(handler: any HTTPServerHandling, _ configuration: HTTPServer.Configuration) {
    self.handler = handler
    bodyLimit = configuration.bodyLimit
    answersInPlace = configuration.answersInPlace
  }
}
