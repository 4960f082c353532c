/// What every connection of a server shares.
final class ServerContext: Sendable {
  let handler: any HTTPServerHandling
  let bodyLimit: Int
  let tasks = ServerTasks()

  init(handler: any HTTPServerHandling, bodyLimit: Int) {
    self.handler = handler
    self.bodyLimit = bodyLimit
  }
}
