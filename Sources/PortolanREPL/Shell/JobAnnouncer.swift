internal import PortolanApp
internal import PortolanJobs

/// Works on downloads beside a prompt, and reports their progress there.
@MainActor
final class JobAnnouncer {
  private let session: Session
  private var news = JobNews()
  /// The synchronizations whose end was seen.
  private var endedSyncs: Set<JobID> = []

  init(session: Session) { self.session = session }

  /// Works until the task is cancelled.
  func run() async {
    await session.app.library?.run { [self] jobs in
      let paces = session.app.library?.jobList?.state.paces ?? [:]
      for news in news.notifications(jobs) {
        session.presenter.note(news.line(pace: paces[news.job.id]))
      }
      session.offerWords()
      showChanges(of: jobs)
    }
  }

  /// Shows what a synchronization that has ended changed of the open map.
  private func showChanges(of jobs: [Job]) {
    for job in jobs where job.isSynchronization {
      guard job.state.isFinal else {
        endedSyncs.remove(job.id)
        continue
      }
      guard endedSyncs.insert(job.id).inserted else { continue }
      Task { await session.app.storedMapHasChanged(job.subject) }
    }
  }
}
