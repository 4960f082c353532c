internal import PortolanJSON

/// The geoprocessing service that makes map areas and their packages.
struct PackagingRoutes: Sendable {
  let state: DemoState
  let content: DemoContent

  func add(to router: inout Router) {
    let service = "\(DemoServices.Root.portal)/\(DemoServices.packaging)/GPServer"
    router.add(service) { _ in .json(Self.description) }
    for task in PackagingTask.allCases {
      let address = "\(service)/\(task.rawValue)"
      router.add(address) { _ in .json(task.description) }
      add(task, at: address, to: &router)
    }
  }

  private func add(_ task: PackagingTask, at address: String, to router: inout Router) {
    let (state, content) = (state, content)
    router.add(address + "/submitJob") { request in
      let job = await PackagingWork(state: state, content: content).submit(task, request)
      return .json(Self.json(job, task))
    }
    router.add(address + "/jobs/{id}") { request in
      guard let job = await state.job(request.capture("id")) else { throw Self.noJob }
      return .json(Self.json(job, task))
    }
    router.add(address + "/jobs/{id}/cancel") { request in
      guard let job = await state.cancelJob(request.capture("id")) else { throw Self.noJob }
      return .json(Self.json(job, task))
    }
    router.add(address + "/jobs/{id}/results/{name}") { request in
      guard let value = await state.finishedJob(request.capture("id"))?.results[task.output] else {
        throw Self.noJob
      }
      return .json(["paramName": .string(task.output), "dataType": "GPString", "value": value])
    }
  }

  private static let noJob = DemoFailure(code: 400, "Invalid or missing input parameters.")

  private static let description: JSONValue = [
    "currentVersion": 11.3, "serviceDescription": "Makes map areas and their packages.",
    "tasks": .texts(PackagingTask.allCases.map(\.rawValue)),
    "executionType": "esriExecutionTypeAsynchronous", "resultMapServerName": "",
    "maximumRecords": 1000, "capabilities": "",
  ]

  private static func json(_ job: DemoJob, _ task: PackagingTask) -> JSONValue {
    var json: JSONObject = ["jobId": .string(job.id), "jobStatus": .string(status(job.phase))]
    switch job.phase {
    case .failed(let failure):
      json["messages"] = [
        ["type": "esriJobMessageTypeError", "description": .string(failure.message)]
      ]
    case .done:
      json["results"] = [
        task.output: ["paramUrl": .string("results/\(task.output)")]
      ]
      json["messages"] = []
    case .submitted, .running, .cancelled: json["messages"] = []
    }
    return .object(json)
  }

  private static func status(_ phase: DemoJob.Phase) -> String {
    switch phase {
    case .submitted: "esriJobSubmitted"
    case .running: "esriJobExecuting"
    case .done: "esriJobSucceeded"
    case .failed: "esriJobFailed"
    case .cancelled: "esriJobCancelled"
    }
  }
}
