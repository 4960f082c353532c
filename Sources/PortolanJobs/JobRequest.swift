/// A request to the process that is running a job.
public struct JobRequest: Hashable, Sendable {
  /// Its number; later ones have larger numbers.
  public let number: Int
  /// The job.
  public let job: JobID
  /// The intent requested.
  public let intent: JobIntent

  /// Creates a request.
  public init(number: Int, job: JobID, intent: JobIntent) {
    self.number = number
    self.job = job
    self.intent = intent
  }
}
