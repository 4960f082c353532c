internal import PortolanApp
internal import PortolanJobs

extension JobNotification {
  /// The notification as a line above the prompt.
  ///
  /// - Parameter pace: How fast the job goes, if it runs.
  /// - Returns: A sentence, or how far the job is with a bar.
  func line(pace: JobListModel.Pace?) -> String {
    let title = "\"\(job.title)\""
    switch event {
    case .interrupted:
      let extent = TransferText.extent(job.progress)
      return "\(title) was interrupted and continues" + (extent.isEmpty ? "." : ", \(extent).")
    case .advanced: return TransferText.line(job, pace: pace)
    case .resumed: return "\(title) continues, \(TransferText.extent(job.progress))."
    case .waiting: return "\(title) is \(JobText.sentence(job))."
    case .succeeded, .succeededInPart: return ending
    case .failed:
      guard case .failed(let failure) = job.state else { return "\(title) has failed." }
      let verb = job.isSynchronization ? "synchronized" : "downloaded"
      return "\(title) could not be \(verb): \(failure.message)"
    }
  }

  /// The sentence about the result.
  private var ending: String {
    if job.isSynchronization { return SyncText.sentence(job) }
    return event == .succeeded
      ? "\"\(job.title)\" is on this device, \(ByteCount.text(job.progress.bytes))."
      : "\"\(job.title)\" is on this device, but incomplete; \"jobs\" lists what is missing."
  }
}
