// Graphs: nodes, instantiation, launches, updates. A launch holds on to the
// work as it was when it was launched.
#include "LaunchKernel.h"

#include <algorithm>

using namespace ptxemu;

namespace ptxemu {

CUgraphNode Emulator::addNode(CUgraph graph, WorkPtr work,
                              std::vector<CUgraphNode> dependencies) {
  auto node = std::make_unique<CUgraphNode_st>();
  node->work = std::move(work);
  node->dependencies = std::move(dependencies);
  node->graph = graph;
  graph->nodes.push_back(std::move(node));
  return graph->nodes.back().get();
}

} // namespace ptxemu

namespace {

std::vector<CUgraphNode> listOf(const CUgraphNode *nodes, size_t count) {
  return nodes ? std::vector<CUgraphNode>(nodes, nodes + count)
               : std::vector<CUgraphNode>();
}

size_t indexOf(const std::vector<CUgraphNode> &nodes, CUgraphNode node) {
  auto found = std::find(nodes.begin(), nodes.end(), node);
  if (found == nodes.end())
    throw DriverError{CUDA_ERROR_INVALID_VALUE};
  return size_t(found - nodes.begin());
}

/// Nodes in an order in which each follows its dependencies. Edges that are
/// added by hand may point anywhere.
std::vector<CUgraphNode> ordered(const CUgraph_st &graph) {
  std::vector<CUgraphNode> result;
  std::set<CUgraphNode> placed;
  while (result.size() < graph.nodes.size()) {
    size_t before = result.size();
    for (auto &node : graph.nodes)
      if (!placed.count(node.get()) &&
          std::all_of(node->dependencies.begin(), node->dependencies.end(),
                      [&](CUgraphNode d) { return placed.count(d); })) {
        result.push_back(node.get());
        placed.insert(node.get());
      }
    if (result.size() == before)
      throw DriverError{CUDA_ERROR_INVALID_VALUE}; // a cycle
  }
  return result;
}

void fillExecutable(CUgraphExec_st &executable, const CUgraph_st &graph) {
  executable.nodes = ordered(graph);
  executable.works.clear();
  executable.dependencies.clear();
  for (CUgraphNode node : executable.nodes) {
    executable.works.push_back(node->work);
    std::vector<size_t> dependencies;
    for (CUgraphNode d : node->dependencies)
      dependencies.push_back(indexOf(executable.nodes, d));
    std::sort(dependencies.begin(), dependencies.end());
    executable.dependencies.push_back(std::move(dependencies));
  }
}

CUresult instantiate(CUgraphExec *executable, CUgraph graph) {
  return entry(Need::context, [&](Emulator &e) {
    CUgraph_st &from = e.graphs.get(graph);
    if (e.settings.fails("graph"))
      return CUDA_ERROR_OUT_OF_MEMORY;
    auto made = std::make_unique<CUgraphExec_st>();
    fillExecutable(*made, from);
    checked(executable) = e.executables.add(std::move(made));
    return CUDA_SUCCESS;
  });
}

/// 0 for success, else the reason in the driver's numbers.
int tryUpdate(CUgraphExec_st &executable, const CUgraph_st &graph) {
  CUgraphExec_st updated;
  fillExecutable(updated, graph);
  if (updated.nodes.size() != executable.nodes.size() ||
      updated.dependencies != executable.dependencies)
    return 2;
  for (size_t i = 0; i < updated.works.size(); ++i)
    if (updated.works[i]->kind != executable.works[i]->kind)
      return 3;
  executable = std::move(updated);
  return 0;
}

KernelShape shapeOf(const CUDA_KERNEL_NODE_PARAMS &p) {
  return {p.func,
          {p.gridDimX, p.gridDimY, p.gridDimZ},
          {p.blockDimX, p.blockDimY, p.blockDimZ},
          p.sharedMemBytes};
}

CUgraphNode_st &kernelNode(CUgraphNode node) {
  CUgraphNode_st &found = checked(node);
  if (found.work->kind != Work::kernel || !found.work->function)
    throw DriverError{CUDA_ERROR_INVALID_VALUE};
  return found;
}

} // namespace

CUDA_API cuGraphCreate(CUgraph *graph, unsigned) {
  return entry(Need::context, [&](Emulator &e) {
    checked(graph) = e.graphs.add(std::make_unique<CUgraph_st>());
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphDestroy(CUgraph graph) {
  return entry(Need::context, [&](Emulator &e) {
    e.graphs.get(graph);
    e.graphs.remove(graph);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long) {
  return instantiate(executable, graph);
}

CUDA_API cuGraphInstantiateWithParams(CUgraphExec *executable, CUgraph graph,
                                      CUgraphInstantiateParams *params) {
  CUresult result = instantiate(executable, graph);
  if (params)
    params->result_out = result ? 1 : 0;
  return result;
}

CUDA_API cuGraphInstantiate_v2(CUgraphExec *executable, CUgraph graph,
                               CUgraphNode *, char *, size_t) {
  return instantiate(executable, graph);
}

CUDA_API cuGraphExecDestroy(CUgraphExec executable) {
  return entry(Need::context, [&](Emulator &e) {
    e.executables.get(executable);
    e.executables.remove(executable);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphUpload(CUgraphExec executable, CUstream stream) {
  return entry(Need::context, [&](Emulator &e) {
    e.executables.get(executable);
    e.stream(stream);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphLaunch(CUgraphExec executable, CUstream handle) {
  return entry(Need::context, [&](Emulator &e) {
    CUgraphExec_st &of = e.executables.get(executable);
    CUstream_st &stream = e.stream(handle);
    if (stream.capture)
      return CUDA_ERROR_NOT_SUPPORTED; // child graphs are not emulated
    if (e.settings.fails("graph-launch"))
      return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    e.queue(stream, [works = of.works] {
      for (const WorkPtr &work : works)
        if (!emulator().sticky && work->run)
          work->run();
    });
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph,
                              CUgraphExecUpdateResultInfo *info) {
  return entry(Need::context, [&](Emulator &e) {
    int why = tryUpdate(e.executables.get(executable), e.graphs.get(graph));
    if (info)
      *info = {why, nullptr, nullptr};
    return why ? CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE : CUDA_SUCCESS;
  });
}

CUDA_API cuGraphExecUpdate(CUgraphExec executable, CUgraph graph,
                           CUgraphNode *node, int *result) {
  CUgraphExecUpdateResultInfo info{};
  CUresult code = cuGraphExecUpdate_v2(executable, graph, &info);
  if (node)
    *node = info.errorNode;
  if (result)
    *result = info.result;
  return code;
}

CUDA_API cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return entry(Need::context, [&](Emulator &e) {
    std::vector<CUgraphNode> all = ordered(e.graphs.get(graph));
    if (nodes)
      std::copy_n(all.begin(), std::min(all.size(), checked(count)), nodes);
    checked(count) = all.size();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphNodeGetType(CUgraphNode node, int *type) {
  return entry(Need::context, [&](Emulator &) {
    checked(type) = checked(node).work->kind;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphKernelNodeGetParams_v2(CUgraphNode node,
                                       CUDA_KERNEL_NODE_PARAMS *params) {
  return entry(Need::context, [&](Emulator &) {
    CUgraphNode_st &of = kernelNode(node);
    const LaunchRequest &launch = of.work->launch;
    of.params.clear();
    for (const Code::Parameter &parameter : launch.code->params)
      of.params.push_back(
          const_cast<uint8_t *>(launch.params.data() + parameter.offset));
    CUDA_KERNEL_NODE_PARAMS &to = checked(params);
    to.func = of.work->function;
    to.gridDimX = launch.grid[0];
    to.gridDimY = launch.grid[1];
    to.gridDimZ = launch.grid[2];
    to.blockDimX = launch.block[0];
    to.blockDimY = launch.block[1];
    to.blockDimZ = launch.block[2];
    to.sharedMemBytes = launch.dynamicShared;
    to.kernelParams = of.params.data();
    to.extra = nullptr;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphKernelNodeSetParams_v2(CUgraphNode node,
                                       const CUDA_KERNEL_NODE_PARAMS *params) {
  return entry(Need::context, [&](Emulator &) {
    CUgraphNode_st &of = kernelNode(node);
    const CUDA_KERNEL_NODE_PARAMS &p = checked(params);
    of.work = kernelWork(shapeOf(p), p.kernelParams, p.extra);
    return CUDA_SUCCESS;
  });
}

CUDA_API
cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                  const CUDA_KERNEL_NODE_PARAMS *params) {
  return entry(Need::context, [&](Emulator &e) {
    CUgraphExec_st &of = e.executables.get(executable);
    size_t index = indexOf(of.nodes, node);
    if (of.works[index]->kind != Work::kernel)
      return CUDA_ERROR_INVALID_VALUE;
    const CUDA_KERNEL_NODE_PARAMS &p = checked(params);
    of.works[index] = kernelWork(shapeOf(p), p.kernelParams, p.extra);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph,
                                 const CUgraphNode *dependencies, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS *params) {
  return entry(Need::context, [&](Emulator &e) {
    e.graphs.get(graph);
    const CUDA_KERNEL_NODE_PARAMS &p = checked(params);
    checked(node) =
        e.addNode(graph, kernelWork(shapeOf(p), p.kernelParams, p.extra),
                  listOf(dependencies, count));
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                             const CUgraphNode *dependencies, size_t count) {
  return entry(Need::context, [&](Emulator &e) {
    e.graphs.get(graph);
    checked(node) =
        e.addNode(graph, std::make_shared<Work>(), listOf(dependencies, count));
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                const CUgraphNode *to, size_t count) {
  return entry(Need::context, [&](Emulator &e) {
    e.graphs.get(graph);
    for (size_t i = 0; i < count; ++i)
      checked(to[i]).dependencies.push_back(from[i]);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                   const CUgraphNode *to, const void *,
                                   size_t count) {
  return cuGraphAddDependencies(graph, from, to, count);
}

// Version 1 of the parameters is a prefix of version 2, which is all that is
// read and written here.
CUDA_API cuGraphKernelNodeGetParams(CUgraphNode node,
                                    CUDA_KERNEL_NODE_PARAMS *params) {
  return cuGraphKernelNodeGetParams_v2(node, params);
}
CUDA_API cuGraphKernelNodeSetParams(CUgraphNode node,
                                    const CUDA_KERNEL_NODE_PARAMS *params) {
  return cuGraphKernelNodeSetParams_v2(node, params);
}
CUDA_API cuGraphExecKernelNodeSetParams(CUgraphExec executable,
                                        CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *params) {
  return cuGraphExecKernelNodeSetParams_v2(executable, node, params);
}
CUDA_API cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *params) {
  return cuGraphAddKernelNode_v2(node, graph, dependencies, count, params);
}
